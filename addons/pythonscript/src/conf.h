/* pythonscript.conf, which lies beside the plugin's library and the launcher and says where Python is.
 *
 * Whoever includes this says how a failure is told (fail) and where it lies itself (own_path).
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#include <sys/stat.h>
#endif

#define TEXT_MAX 8192
#ifndef ADVICE /* an exported game has another */
#define ADVICE "Run './factory setup', which writes it."
#endif

static void fail(const char *format, ...);
static int own_path(char *path, int size);

/* ---- Files and libraries of the system --------------------------------------------------------- */

#ifdef _WIN32
static void widen(const char *text, wchar_t *wide, int size) {
	if (!MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, size))
		wide[0] = 0;
}

static int exists(const char *path) {
	wchar_t wide[TEXT_MAX];
	widen(path, wide, TEXT_MAX);
	return GetFileAttributesW(wide) != INVALID_FILE_ATTRIBUTES;
}

static FILE *open_file(const char *path) {
	wchar_t wide[TEXT_MAX];
	widen(path, wide, TEXT_MAX);
	return _wfopen(wide, L"rb");
}

static void *open_library(const char *path) {
	wchar_t wide[TEXT_MAX], *at;
	widen(path, wide, TEXT_MAX);
	for (at = wide; *at; at++) /* LoadLibrary wants its own kind of separator */
		if (*at == L'/')
			*at = L'\\';
	return (void *)LoadLibraryExW(wide, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
}

static const char *library_error(void) { return "LoadLibrary failed"; }
static void *find_symbol(void *library, const char *name) { return (void *)GetProcAddress((HMODULE)library, name); }
#else
/* UTF-8 to 32-bit wide characters, whatever the locale is. */
static void widen(const char *text, wchar_t *wide, int size) {
	const unsigned char *in = (const unsigned char *)text;
	int n = 0;
	while (*in && n < size - 1) {
		int extra = *in >= 0xF0 ? 3 : *in >= 0xE0 ? 2 : *in >= 0xC0 ? 1 : 0;
		uint32_t point = extra ? *in & (0x3F >> extra) : *in;
		for (in++; extra > 0 && (*in & 0xC0) == 0x80; extra--)
			point = point << 6 | (*in++ & 0x3F);
		wide[n++] = (wchar_t)point;
	}
	wide[n] = 0;
}

static int exists(const char *path) {
	struct stat status;
	return stat(path, &status) == 0;
}

static FILE *open_file(const char *path) { return fopen(path, "rb"); }
/* Global, because Python's extension modules take libpython's symbols from the process. */
static void *open_library(const char *path) { return dlopen(path, RTLD_NOW | RTLD_GLOBAL); }
static const char *library_error(void) { return dlerror(); }
static void *find_symbol(void *library, const char *name) { return dlsym(library, name); }
#endif

/* ---- pythonscript.conf ------------------------------------------------------------------------- */

static struct {
	char folder[TEXT_MAX], file[TEXT_MAX], libpython[TEXT_MAX], home[TEXT_MAX], project[TEXT_MAX];
	char paths[64][TEXT_MAX];
	int path_count;
} conf;

static char *last_separator(char *path) {
	char *end = path + strlen(path);
	while (end > path && end[-1] != '/' && end[-1] != '\\')
		end--;
	return end > path ? end - 1 : NULL;
}

/* Relative paths start from the folder of this library; each leading ".." takes one folder off it. */
static void resolve(const char *value, char *path) {
	int absolute = value[0] == '/' || value[0] == '\\' || (value[0] && value[1] == ':');
	char *end;
	if (!*value || absolute) {
		snprintf(path, TEXT_MAX, "%s", value);
		return;
	}
	snprintf(path, TEXT_MAX, "%s", conf.folder);
	while ((!strcmp(value, "..") || !strncmp(value, "../", 3)) && (end = last_separator(path)) != NULL) {
		*end = 0;
		value += value[2] ? 3 : 2;
	}
	if (*value && strcmp(value, "."))
		snprintf(path + strlen(path), TEXT_MAX - strlen(path), "/%s", value);
}

static int read_conf(void) {
	char line[TEXT_MAX], *end;
	FILE *file;
	if (!own_path(conf.folder, sizeof conf.folder)) {
		fail("Python: the folder that pythonscript.conf lies in cannot be found.");
		return 0;
	}
	end = last_separator(conf.folder);
	if (end)
		*end = 0;
	else
		strcpy(conf.folder, ".");
	snprintf(conf.file, sizeof conf.file, "%.8000s/pythonscript.conf", conf.folder);
	file = open_file(conf.file);
	if (!file) {
		fail("Python: %s is missing. " ADVICE, conf.file);
		return 0;
	}
	while (fgets(line, sizeof line, file)) {
		char *value = strchr(line, '=');
		line[strcspn(line, "\r\n")] = 0;
		if (!value || line[0] == '#')
			continue;
		*value++ = 0;
		if (!strcmp(line, "libpython")) {
			if (strpbrk(value, "/\\"))
				resolve(value, conf.libpython);
			else /* a bare name: the system knows where it is */
				snprintf(conf.libpython, TEXT_MAX, "%s", value);
		} else if (!strcmp(line, "home"))
			resolve(value, conf.home);
		else if (!strcmp(line, "project"))
			resolve(value, conf.project);
		else if (!strcmp(line, "path") && conf.path_count < 64)
			resolve(value, conf.paths[conf.path_count++]);
	}
	fclose(file);
	return 1;
}

static int check_conf(void) {
	int i;
	if (!conf.libpython[0])
		fail("Python: %s has no line 'libpython='. " ADVICE, conf.file);
	else if (strpbrk(conf.libpython, "/\\") && !exists(conf.libpython))
		fail("Python: %s, named in %s, is missing. " ADVICE, conf.libpython, conf.file);
	else if (conf.home[0] && !exists(conf.home))
		fail("Python: %s, 'home=' in %s, is missing. " ADVICE, conf.home, conf.file);
	else if (!conf.project[0] || !exists(conf.project))
		fail("Python: '%s', 'project=' in %s, is missing. " ADVICE, conf.project, conf.file);
	else {
		for (i = 0; i < conf.path_count; i++)
			if (!exists(conf.paths[i])) {
				fail("Python: %s, 'path=' in %s, is missing. " ADVICE, conf.paths[i], conf.file);
				return 0;
			}
		return 1;
	}
	return 0;
}

/* Py_InitializeEx ends the process when it finds no standard library, so look first. */
static int standard_library_is_there(const char *version) {
	char path[TEXT_MAX];
	int major = 0, minor = 0;
	if (!conf.home[0])
		return 1;
	sscanf(version, "%d.%d", &major, &minor);
	snprintf(path, sizeof path, "%.8000s/lib/python%d.%d/os.py", conf.home, major, minor);
	if (exists(path))
		return 1;
	snprintf(path, sizeof path, "%.8000s/lib/python%d%d.zip", conf.home, major, minor);
	if (exists(path))
		return 1;
	snprintf(path, sizeof path, "%.8000s/Lib/os.py", conf.home);
	if (exists(path))
		return 1;
	fail("Python: %s is Python %d.%d, but %s, 'home=' in %s, holds no standard library of it. " ADVICE,
			conf.libpython, major, minor, conf.home, conf.file);
	return 0;
}
