/* onepass: the command line over the library of onepass.h.  main decides what is to be done and in
 * which order things are checked; the exit statuses are in exit_status.h. */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "batch.h"
#include "bench.h"
#include "environment.h"
#include "exit_status.h"
#include "generate.h"
#include "help.h"
#include "lists.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "pipeline_text.h"
#include "progress.h"
#include "signals.h"
#include "terminal.h"
#include "textbuf.h"
#include "threads.h"
#include "version.h"

/* --concat opens all its inputs at once. */
static void allow_many_files(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return; /* then the soft limit has to do */
}

/* Inputs that are wrong whatever they contain. */
static int check_inputs(const struct options *o, const struct pipeline_text *text,
                        const char *const *inputs, size_t ninputs) {
    onepass_error err = ONEPASS_ERROR_INIT;
    int nstdin = text->used_stdin;
    for (size_t k = 0; k < ninputs; k++) {
        if (!*inputs[k]) {
            message_usage(NULL, "the name of input %zu is empty", k + 1);
            return EXIT_USAGE;
        }
        if (strcmp(inputs[k], "-") == 0 && nstdin++) {
            message_usage("./- is a file of that name", "standard input ('-') can be read only once");
            return EXIT_USAGE;
        }
        onepass_input input = batch_input(o, inputs[k]);
        err.code = onepass_input_check(&input, &err);
        if (err.code) return batch_error(inputs[k], &err);
    }
    if (o->mode == MODE_BENCH) return bench_check(o, inputs, ninputs);
    if (ninputs > 0) return 0;
    message_usage("onepass PIPELINE FILE; - is standard input", "there is no input");
    return EXIT_USAGE;
}

/* Where to compute, and who said so. */
struct device_words {
    const char *asked; /* NULL: nobody */
    const char *from;  /* what stands before it in messages */
};

/* --device, else ONEPASS_DEVICE.  Kernels are shown without a GPU unless one is asked for here. */
static struct device_words find_device(const struct options *o) {
    struct device_words d = {o->device, "--device "};
    onepass_error err = ONEPASS_ERROR_INIT;
    char text[1000];
    if (o->explain_cuda && !d.asked) d.asked = "cpu";
    if (d.asked) return d;
    d = (struct device_words){environment_get(VARIABLE_DEVICE), "ONEPASS_DEVICE="};
    if (d.asked && onepass_device_check(d.asked, &err)) {
        snprintf(text, sizeof(text), "%s; ignored", err.message);
        message_warning(environment_name(VARIABLE_DEVICE), text);
        d.asked = NULL;
    }
    return d;
}

static int make_context(const struct device_words *device, const onepass_config *config,
                        onepass_context **out) {
    onepass_error err = ONEPASS_ERROR_INIT;
    char subject[200];
    err.code = onepass_context_create(config, out, &err);
    if (!err.code || onepass_classify(err.code) != ONEPASS_CLASS_DEVICE) return batch_error(NULL, &err);
    snprintf(subject, sizeof(subject), "%s%.80s", device->from, device->asked ? device->asked : "");
    message_error(onepass_strerror(err.code), subject, err.message, err.hint);
    return EXIT_DEVICE;
}

/* Whether a context can be made of a variable's value alone; the message names the variable. */
static int check_variable(enum variable v, const onepass_config *config) {
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_context *ctx = NULL;
    char subject[200];
    int code = onepass_context_create(config, &ctx, &err);
    onepass_context_free(ctx);
    if (code == 0) return 0;
    snprintf(subject, sizeof(subject), "%s=%.80s", environment_name(v), environment_get(v));
    if (onepass_classify(code) == ONEPASS_CLASS_USAGE) {
        message_usage(err.hint, "%s: %s", subject, err.message);
        return EXIT_USAGE;
    }
    message_error(onepass_strerror(code), subject, err.message, err.hint);
    return EXIT_DEVICE;
}

static int check_variables(void) {
    onepass_config cpu = ONEPASS_CONFIG_INIT, reader = ONEPASS_CONFIG_INIT;
    cpu.cpu = environment_get(VARIABLE_CPU);
    reader.reader = environment_get(VARIABLE_READER);
    int status = check_variable(VARIABLE_CPU, &cpu);
    return status ? status : check_variable(VARIABLE_READER, &reader);
}

static int run_mode(const struct batch *b) {
    if (b->options->mode == MODE_BENCH) return bench_run(b);
    return b->options->mode == MODE_EXPLAIN ? batch_explain(b) : batch_run(b);
}

static int run_program(const struct options *o, const onepass_program *program,
                       const char *const *inputs, size_t ninputs, char *const *argv) {
    onepass_config config = ONEPASS_CONFIG_INIT;
    struct batch b = {o, program, inputs, ninputs, argv, NULL};
    struct textbuf cache = {0};
    int status = batch_check(&b);
    if (status) return status;
    struct device_words device = find_device(o);
    status = check_variables();
    if (status) return status;
    config.threads = threads_choose(o);
    config.piece_bytes = o->piece_bytes;
    config.cpu = environment_get(VARIABLE_CPU);
    config.reader = environment_get(VARIABLE_READER);
    config.device = device.asked;
    config.jit = o->jit ? jit_words[o->jit] : NULL;
    config.gpu_sum = o->gpu_sum ? gpu_sum_words[o->gpu_sum] : NULL;
    config.cache_dir = o->no_cache ? NULL : environment_cache_dir(&cache);
    config.progress = progress_callback;
    progress_setup(o->progress, o->quiet);
    status = make_context(&device, &config, &b.context);
    textbuf_free(&cache);
    if (status || !b.context) return status;
    signals_catch(b.context);
    return run_mode(&b); /* the context lives on: a signal may come until the process ends */
}

static int run_pipeline(const struct options *o, char *const *argv) {
    struct pipeline_text text = {0};
    onepass_program *program = NULL;
    size_t first = 0;
    int status = pipeline_text_load(&text, o, &first);
    const char *const *inputs = (const char *const *)o->operands + first;
    size_t ninputs = o->noperands > first ? o->noperands - first : 0;
    if (status == 0) status = pipeline_text_parse(&text, ninputs > 0, inputs, &program);
    if (status == 0) status = check_inputs(o, &text, inputs, ninputs);
    if (status == 0) status = run_program(o, program, inputs, ninputs, argv);
    onepass_program_free(program);
    pipeline_text_free(&text);
    return status;
}

/* Everything that prints a text and ends. */
static int print_information(const struct options *o) {
    struct textbuf text = {0};
    int status = 0;
    if (o->help)
        help_add(&text, (enum help_length)o->help);
    else if (o->ask)
        status = lists_add_values(&text, o);
    else if (o->mode == MODE_VERSION)
        version_add(&text, o->quiet, o->verbose);
    else if (o->mode == MODE_GENERATE)
        generate_add(&text, generate_words[o->generate]);
    else
        status = lists_add(&text, o, (enum mode)o->mode);
    if (status == 0) status = output_open(o->output);
    if (status == 0) status = output_write(&text);
    textbuf_free(&text);
    return status;
}

int main(int argc, char **argv) {
    struct options o;
    signals_early();
    output_guard_descriptors();
    options_init(&o);
    o.help = options_find_help(argc, argv);
    int status = o.help ? 0 : options_parse(&o, argc, argv);
    message_setup(o.quiet, o.verbose, terminal_colour((enum colour_when)o.colour, STDERR_FILENO));
    if (status == 0) {
        int runs = !o.help && !o.ask && o.mode <= MODE_BENCH;
        if (runs) allow_many_files();
        status = runs ? run_pipeline(&o, argv) : print_information(&o);
    }
    progress_erase();
    message_finish();
    /* A broken or interrupted output leaves the file of --output as it was. */
    if (signals_pending() || status == EXIT_OUTPUT || status == EXIT_USAGE || status == EXIT_DEVICE)
        output_discard();
    else
        status = exit_worse(status, output_finish());
    options_free(&o);
    signals_die();
    return status;
}
