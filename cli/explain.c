/* --explain: the plan of each run, as the library tells it. */
#include <stdlib.h>

#include "batch.h"
#include "exit_status.h"
#include "message.h"
#include "output.h"
#include "signals.h"

/* The plan of one run over names[0 .. n). */
static int explain(const struct batch *b, const char *const *names, size_t n) {
    onepass_options how = ONEPASS_OPTIONS_INIT;
    onepass_error err = ONEPASS_ERROR_INIT;
    struct textbuf text = {0};
    char *plan = NULL;
    onepass_input *inputs = batch_inputs(b->options, names, n);
    if (!inputs) {
        message_error("out_of_memory", NULL, "out of memory", NULL);
        return EXIT_INPUT;
    }
    how.skip_nan = b->options->skip_nan;
    err.code = b->options->explain_cuda
                   ? onepass_explain_cuda(b->context, b->program, inputs, n, &how, &plan, &err)
                   : onepass_explain(b->context, b->program, inputs, n, &how, &plan, &err);
    int status = err.code ? batch_error(names[err.part < n ? err.part : 0], &err) : 0;
    if (status == 0 && plan) {
        if (names != b->inputs) textbuf_char(&text, '\n'); /* between plans */
        textbuf_string(&text, plan);
        status = output_write(&text);
    }
    textbuf_free(&text);
    free(plan);
    free(inputs);
    return status;
}

int batch_explain(const struct batch *b) {
    size_t step = b->options->concat ? b->ninputs : 1;
    int status = output_open(b->options->output);
    for (size_t k = 0;
         k < b->ninputs && status != EXIT_OUTPUT && status != EXIT_USAGE && !signals_pending();
         k += step) {
        status = exit_worse(status, explain(b, b->inputs + k, step));
        if (status && b->options->fail_fast) break;
    }
    return status;
}
