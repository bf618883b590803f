"""./factory store-pictures: the icon in every form that systems want, and the store page's cover, out of the art.

The page's screenshots are those of ./factory screens.
"""

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

from tools.paths import ROOT, Problem
from tools.process import say

ICONS = ROOT / "scenes" / "theme" / "icon"
STORE = ROOT / "docs" / "itch"
SPRITE = ROOT / "scenes" / "floor" / "machines" / "decode_core" / "decode_core_0"
BACKGROUND = ROOT / "scenes" / "title" / "title_background.png"
FONTS = ROOT / "scenes" / "theme" / "fonts"
NAME = "Token Factory"
LINE = "How language models are really served"
DARK, EDGE = (15, 20, 34), (52, 64, 98)
TEXT, TOKEN = (240, 244, 255), (74, 214, 255)
SIZE = 512
CORNER = 0.22
"""Of the icon's width."""
OPAQUE = 200
"""What is less so is the machine's shadow."""
FILLED = 0.84
"""The machine takes so much of the icon's width."""
WINDOWS_SIZES = [(size, size) for size in (16, 24, 32, 48, 64, 128, 256)]
COVER = (630, 500)
"""What itch.io recommends."""
CUT = (560, 20, 1880, 1068)
"""The part of the title's picture that the cover shows."""
LANCZOS = Image.Resampling.LANCZOS


def run(arguments: list[str]) -> int:
    """Carry out ./factory store-pictures."""
    if arguments:
        raise Problem("store-pictures takes no arguments", status=2)
    for folder in (ICONS, STORE):
        folder.mkdir(parents=True, exist_ok=True)
    whole = icon()
    kept = [ICONS / "icon.png", ICONS / "icon.ico", ICONS / "icon.icns", STORE / "cover.png"]
    whole.resize((256, 256), LANCZOS).save(kept[0], optimize=True)
    whole.save(kept[1], sizes=WINDOWS_SIZES)
    whole.save(kept[2])
    cover().save(kept[3], optimize=True)
    for path in kept:
        say(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1000} kB")
    return 0


def icon() -> Image.Image:
    """A Decode Core at work on a dark tile with round corners."""
    tile = Image.new("RGBA", (SIZE, SIZE))
    box = (4, 4, SIZE - 5, SIZE - 5)
    ImageDraw.Draw(tile).rounded_rectangle(box, SIZE * CORNER, (*DARK, 255), (*EDGE, 255), 6)
    base, glow = (Image.open(f"{SPRITE}_{part}.png").convert("RGBA") for part in ("base", "glow"))
    machine = lit(base, glow)
    machine = machine.crop(machine.getchannel("A").point(lambda alpha: alpha > OPAQUE).getbbox())
    width = round(SIZE * FILLED)
    machine = machine.resize((width, machine.height * width // machine.width), LANCZOS)
    tile.alpha_composite(machine, ((SIZE - width) // 2, (SIZE - machine.height) // 2))
    return tile


def lit(base: Image.Image, glow: Image.Image) -> Image.Image:
    """A machine with its lights on: as in the game, light is added."""
    light = Image.new("RGB", glow.size)
    light.paste(glow, mask=glow.getchannel("A"))
    whole = ImageChops.add(base.convert("RGB"), light)
    whole.putalpha(base.getchannel("A"))
    return whole


def cover() -> Image.Image:
    """The title's factory, with the name over it."""
    picture = Image.open(BACKGROUND).convert("RGB").crop(CUT).resize(COVER, LANCZOS)
    veil = Image.new("L", COVER)
    ImageDraw.Draw(veil).rectangle((0, COVER[1] - 150, *COVER), fill=235)
    veil = veil.filter(ImageFilter.GaussianBlur(44))
    picture.paste(Image.new("RGB", COVER, DARK), mask=veil)
    draw = ImageDraw.Draw(picture)
    draw.text((COVER[0] // 2, COVER[1] - 84), NAME, TEXT, font("Inter-Bold", 68), "mm")
    draw.text((COVER[0] // 2, COVER[1] - 32), LINE, TOKEN, font("Inter-SemiBold", 25), "mm")
    return picture


def font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """A font of the game."""
    return ImageFont.truetype(str(FONTS / f"{name}.otf"), size)
