// SPDX-License-Identifier: MIT
// `reeve view [SCENE | DIR]`: a window into a running scene, in the browser.
#include "command.h"
#include "support/stop.h"
#include "support/templates.h"
#include "view/server.h"

#include <getopt.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char** environ;

typedef struct {
    rvServerDef server;
    rvSimDef sim;
    char* sets[64];
    bool open;
    char replay[1100];
} Options;

static bool read_port(const char* text, int* port)
{
    char* end;
    long value = strtol(text, &end, 10);
    *port = (int)value;
    return *text && *end == 0 && value >= 0 && value < 65536;
}

static int read_options(int argc, char** argv, Options* o)
{
    static const struct option options[] = {
        {"port", required_argument, NULL, 'p'}, {"listen", required_argument, NULL, 'l'},
        {"set", required_argument, NULL, 's'},  {"open", no_argument, NULL, 'o'},
        {"paused", no_argument, NULL, 'z'},     {0}};
    int option;
    optind = 1;
    while ((option = getopt_long(argc, argv, RV_OPTIONS, options, NULL)) != -1) {
        if (option == 'p') {
            if (!read_port(optarg, &o->server.port))
                return rv_usage("view", "--port: is \"%s\", expected a whole number of 0 to 65535", optarg);
        } else if (option == 'l')
            o->server.address = optarg;
        else if (option == 's' && o->sim.setCount == 64)
            return rv_usage("view", "--set: stands more than 64 times");
        else if (option == 's')
            o->sets[o->sim.setCount++] = optarg;
        else if (option == 'o')
            o->open = true;
        else if (option == 'z')
            o->sim.paused = true;
        else
            return rv_usage_option("view", option, argv);
    }
    if (optind < argc - 1)
        return rv_usage("view", "expected one scene or one folder of a run");
    o->sim.path = optind < argc ? argv[optind] : NULL;
    o->sim.sets = o->sets;
    return RV_EXIT_OK;
}

// A folder is a finished run; nothing at all is the gallery.
static int choose_mode(Options* o)
{
    struct stat status;
    if (!o->sim.path) {
        o->server.gallery = true;
        for (int i = 0; i < rvTemplateCount; ++i)
            if (strcmp(rvTemplates[i].name, "crane") == 0)
                o->sim.gallery = i;
    } else if (stat(o->sim.path, &status) == 0 && S_ISDIR(status.st_mode)) {
        snprintf(o->replay, sizeof o->replay, "%s/replay.bin", o->sim.path);
        if (stat(o->replay, &status) != 0) {
            fprintf(stderr, "reeve view: %s: there is no replay.bin: is this the folder of a run?\n", o->sim.path);
            return RV_EXIT_IO;
        }
        o->server.replay = o->replay;
    }
    return RV_EXIT_OK;
}

static void open_browser(const char* url)
{
    char opener[] = "xdg-open", address[200];
    char* const arguments[] = {opener, address, NULL};
    pid_t pid;
    snprintf(address, sizeof address, "%s", url);
    if (posix_spawnp(&pid, opener, NULL, NULL, arguments, environ) != 0)
        fprintf(stderr, "reeve view: no browser could be opened: open the address by hand\n");
}

static int serve(Options* o, rvServer* server)
{
    int code = RV_EXIT_OK;
    rvSim* sim = NULL;
    o->sim.wake = rv_server_wake;
    o->sim.context = server;
    if (!o->server.replay) {
        sim = rv_sim_start(&o->sim, &code);
        if (!sim)
            return code;
    }
    rvStop stop;
    rv_stop_begin(&stop);
    signal(SIGCHLD, SIG_IGN);
    printf("%s\n", rv_server_url(server));
    printf("Ctrl-C ends it.\n");
    fflush(stdout);
    if (o->open)
        open_browser(rv_server_url(server));
    rv_server_run(server, sim, rv_stop_is_asked);
    rv_stop_end(&stop);
    if (sim)
        rv_sim_stop(sim);
    return code;
}

int rv_cmd_view(int argc, char** argv)
{
    Options options = {0};
    int code = read_options(argc, argv, &options);
    if (code == RV_EXIT_OK)
        code = choose_mode(&options);
    if (code != RV_EXIT_OK)
        return code;
    rvServer* server = rv_server_open(&options.server);
    if (!server)
        return RV_EXIT_IO;
    code = serve(&options, server);
    rv_server_close(server);
    return code;
}
