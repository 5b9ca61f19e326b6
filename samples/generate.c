/* Makes the sample data: generate DIRECTORY.  The same bytes on every machine: only + - * / and
 * integers, no libm, numbers from (seed, index), so that any element can be checked alone.
 *
 *   temperature.f32  air temperature in degrees C, one value an hour of a year of 365 days
 *   sealevel.npy     sea level in metres, binary64, 6 stations x 732 half days, with a tide
 *   tone.i16         one second of two decaying notes, 16 kHz
 *   elevation.npy    metres, float32, 96 x 112, big-endian; NaN where there is water */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TURN 6.283185307179586

/* A well-mixed word of (seed, index): the finaliser of splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t mix(uint64_t seed, uint64_t index) {
    uint64_t z = (seed + index) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* About N(0,1): the sum of twelve uniform numbers less six, an exact multiple of 2^-20. */
static double noise(uint64_t seed, uint64_t index) {
    double sum = -6;
    for (unsigned k = 0; k < 12; k++)
        sum += (double)(mix(seed, 12 * index + k) >> 44) * 0x1p-20;
    return sum;
}

/* sine of a fraction of a turn, good to 1e-9: Taylor's series on a quarter turn. */
static double sine(double turns) {
    double f = turns - (double)(int64_t)turns;
    if (f < 0) f += 1;
    double sign = f < 0.5 ? 1 : -1;
    if (f >= 0.5) f -= 0.5;
    if (f > 0.25) f = 0.5 - f;
    double a = f * TURN, term = a, sum = a;
    for (int k = 2; k < 16; k += 2) {
        term *= -a * a / (k * (k + 1));
        sum += term;
    }
    return sign * sum;
}

static void fail(const char *path) {
    perror(path);
    exit(1);
}

static FILE *create(const char *directory, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *f = fopen(path, "wb");
    if (!f) fail(path);
    return f;
}

/* Stores the low nbytes of bits, in either byte order, whatever this machine's is. */
static void put(FILE *f, uint64_t bits, int nbytes, int big_endian) {
    for (int k = 0; k < nbytes; k++)
        putc((int)(bits >> 8 * (big_endian ? nbytes - 1 - k : k) & 255), f);
}

static void put_f32(FILE *f, double value, int big_endian) {
    float v = (float)value;
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    put(f, bits, 4, big_endian);
}

static void put_f64(FILE *f, double v) {
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    put(f, bits, 8, 0);
}

static void finish(FILE *f, const char *name) {
    int bad = ferror(f);
    if (fclose(f) || bad) fail(name);
}

/* A .npy header of version 1: 128 bytes with its padding. */
static void put_npy_header(FILE *f, const char *descr, int rows, int columns) {
    char text[119];
    int n = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }",
                     descr, rows, columns);
    fwrite("\x93NUMPY\x01", 1, 7, f);
    putc(0, f);
    put(f, 118, 2, 0);
    fprintf(f, "%s%*s\n", text, 117 - n, "");
}

/* Season, day and weather: the weather of an hour remembers the hours before. */
static void make_temperature(const char *directory) {
    FILE *f = create(directory, "temperature.f32");
    double weather = 0;
    for (int hour = 0; hour < 365 * 24; hour++) {
        double season = -9.5 * sine(hour / 8760.0 + 0.25 - 18 / 365.0);
        double day = -4.2 * sine(hour % 24 / 24.0 + 0.25 - 3 / 24.0);
        weather = 0.985 * weather + 0.45 * noise(1, (uint64_t)hour);
        put_f32(f, 10.4 + season + day + weather, 0);
    }
    finish(f, "temperature.f32");
}

/* The principal lunar tide has a period of 12.4206 hours, so half-daily readings drift along it. */
static void make_sealevel(const char *directory) {
    enum { STATIONS = 6, READINGS = 732 };
    static const double tide[STATIONS] = {0.31, 0.28, 1.52, 1.47, 0.09, 0.11};
    FILE *f = create(directory, "sealevel.npy");
    put_npy_header(f, "<f8", STATIONS, READINGS);
    for (int s = 0; s < STATIONS; s++) {
        double surge = 0;
        for (int k = 0; k < READINGS; k++) {
            surge = 0.9 * surge + 0.05 * noise(20 + (uint64_t)s, (uint64_t)k);
            put_f64(f, tide[s] * sine(12.0 * k / 12.4206 + 0.13 * s) + 0.0032 * k / 730 + surge);
        }
    }
    finish(f, "sealevel.npy");
}

/* Two notes a fifth apart that die away, and the hum of the mains. */
static void make_tone(const char *directory) {
    enum { RATE = 16000 };
    FILE *f = create(directory, "tone.i16");
    double loudness = 14000;
    for (int k = 0; k < RATE; k++) {
        double v = loudness * (sine(220.0 * k / RATE) + 0.6 * sine(330.0 * k / RATE));
        v += 150 * sine(50.0 * k / RATE) + 12 * noise(3, (uint64_t)k);
        put(f, (uint64_t)(int64_t)(v < 0 ? v - 0.5 : v + 0.5), 2, 0);
        loudness *= 0.99985;
    }
    finish(f, "tone.i16");
}

/* Hills as a sum of waves of ever smaller size; below 0 m there is water, and no reading. */
static void make_elevation(const char *directory) {
    enum { ROWS = 96, COLUMNS = 112 };
    FILE *f = create(directory, "elevation.npy");
    put_npy_header(f, ">f4", ROWS, COLUMNS);
    for (int r = 0; r < ROWS; r++) {
        for (int c = 0; c < COLUMNS; c++) {
            double h = 160, size = 340;
            for (int wave = 0; wave < 6; wave++, size *= 0.55) {
                double a = (double)(mix(4, (uint64_t)wave) >> 40) * 0x1p-24 - 0.5;
                double b = (double)(mix(5, (uint64_t)wave) >> 40) * 0x1p-24 - 0.5;
                h += size * sine((wave + 1) * (a * r / 48 + b * c / 56) + a * 7);
            }
            put_f32(f, h < 0 ? (double)NAN : h + 2 * noise(6, (uint64_t)(r * COLUMNS + c)), 1);
        }
    }
    finish(f, "elevation.npy");
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: generate DIRECTORY\n");
        return 2;
    }
    make_temperature(argv[1]);
    make_sealevel(argv[1]);
    make_tone(argv[1]);
    make_elevation(argv[1]);
    return 0;
}
