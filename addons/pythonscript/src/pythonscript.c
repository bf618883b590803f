/* Starts Python inside Godot 3 and registers it as a script language.
 *
 * Needs neither Godot's nor Python's headers: libpython is opened at run time, and the few structures
 * that cross are declared here. The work is done in Python (../python/pythonscript): this file only
 * does what ctypes cannot, which is to start the interpreter and to return structures by value.
 */
#ifndef _WIN32
#define _GNU_SOURCE /* dladdr */
#endif
#include "conf.h"
#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#define LAUNCHER "pythonscript-launcher.exe"
#else
#define EXPORT __attribute__((visibility("default")))
#define LAUNCHER "pythonscript-launcher"
#endif

/* ---- Godot's structures ---------------------------------------------------------------------- */

typedef struct { uint8_t bytes[8]; } opaque; /* String, StringName, Array, Dictionary: alignment 1 */
typedef struct { uint8_t bytes[24]; } variant;
typedef void (*function)(void);

typedef struct {
	uint32_t type, major, minor;
	const void *next;
	uint32_t extension_count;
	const void *const *extensions;
	function slots[744];
} core_table;

typedef struct {
	uint32_t type, major, minor;
	const void *next;
	function slots[1];
} extension_table;

typedef struct {
	uint8_t in_editor;
	uint64_t core_hash, editor_hash, no_api_hash;
	void *report_version_mismatch, *report_loading_error, *library;
	const core_table *core;
	const opaque *library_path;
} init_options;

typedef struct {
	void *data;
	opaque name;
	uint8_t is_tool;
	opaque base, member_lines, methods, signals, properties;
} manifest;

typedef struct {
	void *(*init)(void *script, void *owner);
	void (*finish)(void *self);
	uint8_t (*set_prop)(void *self, const opaque *name, const variant *value);
	uint8_t (*get_prop)(void *self, const opaque *name, variant *value);
	variant (*call_method)(void *self, const opaque *name, const variant **args, int count, int *error);
	void (*notification)(void *self, int what);
	int (*get_rpc_mode)(void *self, const opaque *method);
	int (*get_rset_mode)(void *self, const opaque *property);
	void (*refcount_incremented)(void *self);
	uint8_t (*refcount_decremented)(void *self);
} instance_desc;

typedef struct {
	const char *name, *type, *extension;
	const char *const *recognized_extensions;
	void *(*init)(void);
	void (*finish)(void *language);
	const char *const *reserved_words, *const *comment_delimiters, *const *string_delimiters;
	uint8_t has_named_classes, supports_builtin_mode;
	opaque (*get_template_source_code)(void *language, const opaque *name, const opaque *base);
	function validate, find_function, make_function, complete_code, auto_indent_code;
	void (*add_global_constant)(void *language, const opaque *name, const variant *value);
	function debug[9], get_public_functions, get_public_constants, profiling[5];
	manifest (*script_init)(void *language, const opaque *path, const opaque *source, int *error);
	void (*script_finish)(void *script);
	instance_desc instance;
} language_desc;

/* ---- What is handed to Python (pythonscript/bridge.py declares the same) ---------------------- */

static struct {
	/* for Python to read */
	size_t size; /* of this structure: both sides have to agree */
	const core_table *core;
	const char *project; /* the folder that res:// stands for, UTF-8 */
	const char *launcher; /* the program that runs the same Python as a process of its own, or NULL */
	int in_editor;
	/* for Python to fill */
	void (*language_finish)(void);
	void (*template_source)(const opaque *name, const opaque *base, opaque *source);
	void (*script_init)(const opaque *path, manifest *result, int *error);
	void (*script_finish)(void *script);
	void *(*instance_init)(void *script, void *owner);
	void (*instance_finish)(void *self);
	uint8_t (*set_prop)(void *self, const opaque *name, const variant *value);
	uint8_t (*get_prop)(void *self, const opaque *name, variant *value);
	void (*call_method)(void *self, void *name_data, const opaque *name, const variant **args, int count,
			int *error, variant *result);
	void (*notification)(void *self, int what);
	/* these two stay NULL where Godot frees counted objects by itself */
	void (*refcount_incremented)(void *self);
	uint8_t (*refcount_decremented)(void *self);
} bridge;

enum { CORE_PRINT_ERROR = 741, CORE_VARIANT_NEW_NIL = 509, CORE_STRING_NEW = 574, EXTENSION_PLUGINSCRIPT = 2 };

static void fail(const char *format, ...) {
	char text[TEXT_MAX * 2];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	((void (*)(const char *, const char *, const char *, int))bridge.core->slots[CORE_PRINT_ERROR])(
			text, "pythonscript", "addons/pythonscript/src/pythonscript.c", 0);
}

/* ---- The callbacks that return structures by value -------------------------------------------- */

static void *language_init(void) { return &bridge; }
static void language_finish(void *language) { bridge.language_finish(); }
static void add_global_constant(void *language, const opaque *name, const variant *value) {}
static int no_remote_calls(void *self, const opaque *name) { return 0; }

static opaque template_source(void *language, const opaque *name, const opaque *base) {
	opaque source;
	((void (*)(opaque *))bridge.core->slots[CORE_STRING_NEW])(&source);
	bridge.template_source(name, base, &source);
	return source;
}

static manifest script_init(void *language, const opaque *path, const opaque *source, int *error) {
	manifest result;
	memset(&result, 0, sizeof result);
	*error = 1;
	bridge.script_init(path, &result, error);
	return result;
}

static variant call_method(void *self, const opaque *name, const variant **args, int count, int *error) {
	variant result;
	void *name_data; /* equal names share one datum: Python looks the name up by it */
	memcpy(&name_data, name, sizeof name_data);
	error[0] = 0;
	((void (*)(variant *))bridge.core->slots[CORE_VARIANT_NEW_NIL])(&result);
	bridge.call_method(self, name_data, name, args, count, error, &result);
	return result;
}

static void register_language(const extension_table *pluginscript) {
	static const char *const extensions[] = { "py", NULL };
	static const char *const comments[] = { "#", "\"\"\" \"\"\"", NULL };
	static const char *const strings[] = { "\" \"", "' '", NULL };
	static const char *const words[] = { "False", "None", "True", "and", "as", "assert", "async", "await", "break",
		"class", "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if",
		"import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with",
		"yield", NULL };
	static language_desc desc;
	desc.name = "Python";
	desc.type = "Python";
	desc.extension = "py";
	desc.recognized_extensions = extensions;
	desc.init = language_init;
	desc.finish = language_finish;
	desc.reserved_words = words;
	desc.comment_delimiters = comments;
	desc.string_delimiters = strings;
	desc.get_template_source_code = template_source;
	desc.add_global_constant = add_global_constant;
	desc.script_init = script_init;
	desc.script_finish = bridge.script_finish;
	desc.instance.init = bridge.instance_init;
	desc.instance.finish = bridge.instance_finish;
	desc.instance.set_prop = bridge.set_prop;
	desc.instance.get_prop = bridge.get_prop;
	desc.instance.call_method = call_method;
	desc.instance.notification = bridge.notification;
	desc.instance.get_rpc_mode = no_remote_calls;
	desc.instance.get_rset_mode = no_remote_calls;
	desc.instance.refcount_incremented = bridge.refcount_incremented;
	desc.instance.refcount_decremented = bridge.refcount_decremented;
	((void (*)(const language_desc *))pluginscript->slots[0])(&desc);
}

/* The path of this library. */
#ifdef _WIN32
static int own_path(char *path, int size) {
	HMODULE module;
	wchar_t wide[TEXT_MAX];
	if (!GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
				(LPCWSTR)&bridge, &module) ||
			!GetModuleFileNameW(module, wide, TEXT_MAX))
		return 0;
	return WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, size, NULL, NULL) > 0;
}
#else
static int own_path(char *path, int size) {
	Dl_info info;
	if (!dladdr(&bridge, &info) || !info.dli_fname)
		return 0;
	return snprintf(path, size, "%s", info.dli_fname) < size;
}
#endif

/* ---- Python ------------------------------------------------------------------------------------ */

static void *libpython;

static function python(const char *name) { return (function)find_symbol(libpython, name); }

static void set_flag(const char *name) {
	int *flag = (int *)find_symbol(libpython, name);
	if (flag)
		*flag = 1;
}

static int start_interpreter(void) {
	static wchar_t home[TEXT_MAX]; /* Python keeps the pointer */
	const char *version;
	libpython = open_library(conf.libpython);
	if (!libpython) {
		fail("Python: %s, named in %s, cannot be loaded: %s. " ADVICE, conf.libpython, conf.file, library_error());
		return 0;
	}
	if (!python("Py_InitializeEx") || !python("Py_GetVersion")) {
		fail("Python: %s, named in %s, is not a Python library. " ADVICE, conf.libpython, conf.file);
		return 0;
	}
	version = ((const char *(*)(void))python("Py_GetVersion"))();
	if (!standard_library_is_there(version))
		return 0;
	/* Isolated: neither the environment nor the user's own packages reach the game. */
	set_flag("Py_IsolatedFlag");
	set_flag("Py_IgnoreEnvironmentFlag");
	set_flag("Py_NoUserSiteDirectory");
	set_flag("Py_NoSiteFlag");
	set_flag("Py_UTF8Mode");
	if (conf.home[0]) {
		widen(conf.home, home, TEXT_MAX);
		((void (*)(const wchar_t *))python("Py_SetPythonHome"))(home);
	}
	((void (*)(int))python("Py_InitializeEx"))(0); /* 0: Godot keeps its signal handlers */
	return 1;
}

/* import pythonscript.start and call start(address of the bridge). */
static int start_language(void) {
	void *paths = ((void *(*)(const char *))python("PySys_GetObject"))("path");
	void *module, *result = NULL;
	int i;
	for (i = 0; i < conf.path_count; i++)
		((int (*)(void *, void *))python("PyList_Append"))(
				paths, ((void *(*)(const char *))python("PyUnicode_FromString"))(conf.paths[i]));
	module = ((void *(*)(const char *))python("PyImport_ImportModule"))("pythonscript.start");
	if (module)
		result = ((void *(*)(void *, const char *, const char *, ...))python("PyObject_CallMethod"))(
				module, "start", "K", (unsigned long long)(uintptr_t)&bridge);
	if (!result) {
		((void (*)(void))python("PyErr_Print"))();
		fail("Python: the plugin could not start; the reason stands above. Check %s. " ADVICE, conf.file);
	}
	((void *(*)(void))python("PyEval_SaveThread"))(); /* the callbacks take the lock again */
	return result != NULL;
}

/* ---- What Godot calls -------------------------------------------------------------------------- */

EXPORT void godot_gdnative_init(const init_options *options) {
	bridge.size = sizeof bridge;
	bridge.core = options->core;
	bridge.in_editor = options->in_editor;
}

EXPORT void godot_gdnative_singleton(void) {
	static char launcher[TEXT_MAX];
	uint32_t i;
	if (!read_conf() || !check_conf())
		return;
	bridge.project = conf.project;
	snprintf(launcher, sizeof launcher, "%.8000s/" LAUNCHER, conf.folder);
	bridge.launcher = exists(launcher) ? launcher : NULL;
	for (i = 0; i < bridge.core->extension_count; i++) {
		const extension_table *extension = bridge.core->extensions[i];
		if (extension->type == EXTENSION_PLUGINSCRIPT) {
			if (start_interpreter() && start_language())
				register_language(extension);
			return;
		}
	}
	fail("Python: this Godot has no PluginScript. Use Godot 3.2.3 to 3.6.");
}

/* Python stays: instances may still be freed after this. */
EXPORT void godot_gdnative_terminate(void *options) {}
