/* The same Python as the plugin's, as a process of its own: `pythonscript-launcher ARGUMENTS` is `python ARGUMENTS`.
 *
 * Inside Godot there is no program that would start it, and the system may have none or another. Like the plugin it
 * needs no headers of Python's: libpython is opened at run time, as pythonscript.conf beside it says.
 */
#ifndef _WIN32
#define _GNU_SOURCE
#endif
#include "conf.h"
#ifdef __APPLE__
#include <mach-o/dyld.h>
#elif !defined(_WIN32)
#include <unistd.h>
#endif

static void fail(const char *format, ...) {
	va_list args;
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

static int own_path(char *path, int size) {
#ifdef _WIN32
	wchar_t wide[TEXT_MAX];
	DWORD length = GetModuleFileNameW(NULL, wide, TEXT_MAX);
	return length && length < TEXT_MAX && WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, size, NULL, NULL) > 0;
#elif defined(__APPLE__)
	uint32_t room = (uint32_t)size;
	return _NSGetExecutablePath(path, &room) == 0;
#else
	ssize_t length = readlink("/proc/self/exe", path, (size_t)size - 1);
	path[length > 0 ? length : 0] = 0;
	return length > 0;
#endif
}

/* Windows hands wide arguments over, other systems bytes; Python has a main function for each. */
#ifdef _WIN32
#define MAIN "Py_Main"
#define CHARACTER wchar_t
int wmain(int count, wchar_t **arguments)
#else
#define MAIN "Py_BytesMain"
#define CHARACTER char
int main(int count, char **arguments)
#endif
{
	static wchar_t home[TEXT_MAX]; /* Python keeps the pointer */
	void *libpython;
	if (!read_conf() || !check_conf())
		return 127;
	libpython = open_library(conf.libpython);
	if (!libpython || !find_symbol(libpython, MAIN) || !find_symbol(libpython, "Py_GetVersion")) {
		fail("Python: %s, named in %s, cannot be loaded: %s. " ADVICE, conf.libpython, conf.file,
				libpython ? "it is not a Python library" : library_error());
		return 127;
	}
	if (!standard_library_is_there(((const char *(*)(void))find_symbol(libpython, "Py_GetVersion"))()))
		return 127;
	if (conf.home[0]) {
		widen(conf.home, home, TEXT_MAX);
		((void (*)(const wchar_t *))find_symbol(libpython, "Py_SetPythonHome"))(home);
	}
	return ((int (*)(int, CHARACTER **))find_symbol(libpython, MAIN))(count, arguments);
}
