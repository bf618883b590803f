/* Mathematics of complex numbers as Windows' C library has it, where a long double is a double; Wine 8 to 10 has none. */
#include <complex.h>

typedef struct {
	double re, im;
} Double;

typedef struct {
	float re, im;
} Single;

static double complex of_double(Double z) {
	return __builtin_complex(z.re, z.im);
}

static float complex of_single(Single z) {
	return __builtin_complex(z.re, z.im);
}

static Double to_double(double complex z) {
	return (Double){ creal(z), cimag(z) };
}

static Single to_single(float complex z) {
	return (Single){ crealf(z), cimagf(z) };
}

#define REAL(name) \
	double our_##name(Double z) { return name(of_double(z)); } \
	double our_##name##l(Double z) { return name(of_double(z)); } \
	float our_##name##f(Single z) { return name##f(of_single(z)); }

#define COMPLEX(name) \
	Double our_##name(Double z) { return to_double(name(of_double(z))); } \
	Double our_##name##l(Double z) { return to_double(name(of_double(z))); } \
	Single our_##name##f(Single z) { return to_single(name##f(of_single(z))); }

REAL(creal)
REAL(cimag)
REAL(cabs)
REAL(carg)
COMPLEX(ccos)
COMPLEX(ccosh)
COMPLEX(cexp)
COMPLEX(csin)
COMPLEX(csinh)
COMPLEX(ctan)
COMPLEX(ctanh)

Double our_cpow(Double a, Double b) {
	return to_double(cpow(of_double(a), of_double(b)));
}

Double our_cpowl(Double a, Double b) {
	return to_double(cpow(of_double(a), of_double(b)));
}

Single our_cpowf(Single a, Single b) {
	return to_single(cpowf(of_single(a), of_single(b)));
}
