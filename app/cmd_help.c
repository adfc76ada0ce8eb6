// SPDX-License-Identifier: MIT
// `reeve help [COMMAND]`, and the manual page from the same texts.
#include "command.h"

#include <string.h>

static const char OVERVIEW[] =
    "reeve - simulate cables, ropes and the machines that hang on them\n"
    "\n"
    "Usage\n"
    "  reeve run SCENE [--until T] [--dt H] [--out DIR] [--set PATH=VALUE]... [--picture T] [--no-vtk]\n"
    "            [--no-replay] [--report] [--sections] [--time-limit S] [--force] [--quiet]\n"
    "  reeve view [SCENE | DIR] [--open] [--port N] [--listen ADDRESS] [--set PATH=VALUE]... [--paused]\n"
    "  reeve check SCENE | STUDY [--set PATH=VALUE]...\n"
    "  reeve sweep STUDY [--set PATH=VALUE]... [--out DIR] [--workers N] [--resume | --restart] [--run N]\n"
    "              [--rebuild S] [--log] [--quiet]\n"
    "  reeve new NAME [--template TEMPLATE] [--force]\n"
    "  reeve bench [NAME] [--json | --markdown] [--quick] [--list]\n"
    "  reeve docs scene|study|schema|man\n"
    "  reeve help [COMMAND]\n"
    "  reeve --version\n"
    "\n"
    "Commands\n"
    "  run     runs a scene; writes results.csv, a VTK series for ParaView and a summary\n"
    "  view    shows a scene in the browser, to be driven\n"
    "  check   looks a scene or a study over and says what is in it\n"
    "  sweep   runs a scene many times with other values, on all processors\n"
    "  new     writes a commented scene to start from\n"
    "  bench   measures speed and accuracy\n"
    "  docs    prints the lists of fields, their JSON schema, or the manual page\n"
    "  help    tells more about a command\n"
    "\n"
    "A first run\n"
    "  reeve new crane\n"
    "  reeve run crane.yaml\n"
    "\n"
    "Exit codes\n"
    "  0    all went well\n"
    "  1    the command line is wrong\n"
    "  2    the scene is wrong; the messages say where: file:line:column: field: what\n"
    "  3    a file cannot be read or written\n"
    "  4    the run diverged; results up to there are kept\n"
    "  5    there is not enough memory\n"
    "  6    the run took longer than --time-limit; results up to there are kept\n"
    "  130  stopped by Ctrl-C, SIGTERM or SIGHUP; results up to there are kept\n"
    "  (bench has its own: 0 all goals hold, 1 some do not, 2 the command line is wrong)\n";

static const char RUN[] =
    "reeve run - run a scene\n"
    "\n"
    "Usage\n"
    "  reeve run SCENE [--until T] [--dt H] [--out DIR] [--set PATH=VALUE]... [--picture T] [--no-vtk]\n"
    "            [--no-replay] [--report] [--sections] [--time-limit S] [--force] [--quiet]\n"
    "\n"
    "Options\n"
    "  --until T          end of the run [s], instead of the scene's `until`\n"
    "  --dt H             time step [s], instead of the scene's `step`\n"
    "  --out DIR          where the results go; default out/NAME for NAME.yaml; made if missing\n"
    "  --set PATH=VALUE   changes a value of the scene for this run; may be given several times:\n"
    "                       --set 'bodies.load.mass=12 t'\n"
    "                       --set 'cables.hoist.route[0].max_force=80 kN'\n"
    "                       --set 'commands.hoist.winch_speed=[[0, 0], [2, -0.5]]'\n"
    "  --picture T        draw picture.svg at this time [s] (default: the middle of the run)\n"
    "  --no-vtk           no files for ParaView\n"
    "  --no-replay        no replay.bin\n"
    "  --report           writes report.html\n"
    "  --sections         writes sections.csv\n"
    "  --time-limit S     ends the run after so many seconds of computing, with the results up to there\n"
    "  --force            overwrites files in DIR that reeve run did not write, and links\n"
    "  --quiet            no progress and no summary on the terminal\n"
    "\n"
    "--until and --dt take units too: --until '2 min', --dt '5 ms'.\n"
    "\n"
    "Files in DIR\n"
    "  results.csv    a row of names, a row of units, then a row every `every` seconds; the columns are chosen by the\n"
    "                 scene's `outputs`\n"
    "  picture.svg    the scene at one time, cables coloured by tension\n"
    "  scene.pvd      opens in ParaView: cables as lines with their tension, shapes of bodies as surfaces\n"
    "  vtk/           the files that scene.pvd names\n"
    "  replay.bin     the run to look at again: reeve view DIR\n"
    "  report.html    one file that needs no network: key figures, plots, the final picture; with --report\n"
    "  sections.csv   what each cable carries at the end of the run, at 101 lengths along it: force, moment, tension,\n"
    "                 shear, strain, curvature, torsion; with --sections. At times of the run: outputs as "
    "`rope.moment@0.5`\n"
    "  summary.txt    what is printed at the end: times, peak tensions, energies, events\n"
    "\n"
    "A run locks DIR, so that no other one writes there, and first removes what an earlier run wrote: .reeve lists "
    "it.\n"
    "Other files are kept; where one has a name from above the run does not begin, unless --force is given. "
    "results.csv\n"
    "and replay.bin grow row by row, the other files appear when they are whole: a run that is killed leaves all rows\n"
    "that it came to. No file waits for the disk, so that a loss of power may lose the last seconds. A run whose disk\n"
    "is full ends at once, with code 3.\n"
    "\n"
    "The run ends with code 4 if the world diverges: the message names the body, joint or cable, and the results up "
    "to\n"
    "there are kept. A smaller step often helps. Ctrl-C, SIGTERM and SIGHUP stop the run and keep the results, too.\n";

static const char VIEW[] =
    "reeve view - see a scene and drive it\n"
    "\n"
    "Usage\n"
    "  reeve view [SCENE | DIR] [--open] [--port N] [--listen ADDRESS] [--set PATH=VALUE]... [--paused]\n"
    "\n"
    "Runs the scene in real time and prints the address of a page that shows it; open it in a browser. With the\n"
    "folder DIR of a finished run it plays that; with nothing it shows the gallery of the scenes that come along.\n"
    "\n"
    "Options\n"
    "  --open             opens the browser\n"
    "  --port N           the port; default: a free one\n"
    "  --listen ADDRESS   an address of this machine instead of 127.0.0.1; 0.0.0.0 is all of them. Whoever has the\n"
    "                     printed address can then drive, and what is sent can be read on the way\n"
    "  --set PATH=VALUE   changes a value of the scene, as for `reeve run`\n"
    "  --paused           does not start by itself\n"
    "\n"
    "The page runs without a network. The scene's own commands drive it until a lever is touched; Reset returns it\n"
    "to them. ? on the page lists the keys. More: docs/viewer.md. Ctrl-C ends it.\n";

static const char CHECK[] =
    "reeve check - look a scene or a study over\n"
    "\n"
    "Usage\n"
    "  reeve check SCENE | STUDY [--set PATH=VALUE]...\n"
    "\n"
    "Reads the scene, builds its world, tries its events and prints what is in it. Of a study it prints parameters,\n"
    "figures and limits, and tries the values of its lists. Mistakes are printed a line each,\n"
    "20 at most, as file:line:column: field: what is wrong; the exit code is then 2.\n";

static const char SWEEP[] =
    "reeve sweep - run a scene many times with other values\n"
    "\n"
    "Usage\n"
    "  reeve sweep STUDY [--set PATH=VALUE]... [--out DIR] [--workers N] [--resume | --restart] [--run N]\n"
    "              [--rebuild S] [--log] [--quiet]\n"
    "  mpirun -n N reeve sweep STUDY ...\n"
    "\n"
    "STUDY is a YAML file: a scene, what varies and by which plan, the figures to keep. All its fields: "
    "docs/sweep.md.\n"
    "Runs are done by a process for each processor; under mpirun by a process of each rank.\n"
    "\n"
    "Options\n"
    "  --set PATH=VALUE   changes a value of the study (runs=1000) or of its scene (bodies.load.mass=3 t); may be "
    "given\n"
    "                     several times\n"
    "  --out DIR          where the results go; default out/NAME for NAME.yaml; made if missing\n"
    "  --workers N        processes that do runs; default one for each processor, under mpirun one for each rank\n"
    "  --resume           continues a sweep that was stopped, by whatever: only the runs that were not done are run\n"
    "  --restart          begins again and overwrites what is in DIR\n"
    "  --run N            repeats run N alone, with full results as of `reeve run`, in DIR/run_N\n"
    "  --rebuild S        how often results.h5 is written while runs go on [s]; default 60\n"
    "  --log              prints a line for each run that is done\n"
    "  --quiet            no progress and no summary on the terminal\n"
    "\n"
    "Files in DIR\n"
    "  sweep.journal   each run as soon as it is done; survives a kill at any moment\n"
    "  results.h5      all of it for other programs (HDF5): parameters, figures, events, series\n"
    "  report.html     one file that needs no network: limits, histograms, scatter plots, sensitivities, worst runs\n"
    "\n"
    "A run that diverges or is stopped at its time limit is a result, too. Ctrl-C completes the files; the exit code "
    "is\n"
    "then 130, and 3 where a file cannot be written: the journal keeps what was done.\n";

static const char NEW[] =
    "reeve new - write a scene to start from\n"
    "\n"
    "Usage\n"
    "  reeve new NAME [--template TEMPLATE] [--force]\n"
    "\n"
    "Writes NAME.yaml, with comments. TEMPLATE is one of those below; without it, the template that is\n"
    "called like NAME, else crane.\n"
    "\n"
    "Options\n"
    "  --template TEMPLATE   which one\n"
    "  --force               overwrite a file that is there\n"
    "\n"
    "Templates\n";

static const char BENCH[] =
    "reeve bench - measure speed and accuracy\n"
    "\n"
    "Usage\n"
    "  reeve bench [NAME] [--json | --markdown] [--quick] [--list]\n"
    "  reeve bench cranes [--steps N] [--only NAME]\n"
    "  reeve bench random [--first K] [--count N] [--seconds S] [--only NAME]\n"
    "  reeve bench random --rates [--block K] [--only NAME]\n"
    "  reeve bench route [--walk N [--first K]]\n"
    "  reeve bench ancf [--count N [--first K]]\n"
    "  reeve bench westin [--plot DIR]\n"
    "\n"
    "Runs the benchmark NAME, or all of them. Each row compares ours with a reference: a closed form, a physical "
    "limit,\n"
    "or another engine measured in the same run. The ratio is ours / reference.\n"
    "\n"
    "Options\n"
    "  --json        one object {\"bench\", \"rows\", \"left_out\"}; an array of them without NAME\n"
    "  --markdown    tables in Markdown; tools/bench_rows.py makes docs/bench of them\n"
    "  --quick       a run of about a second each, to see that all works; the times mean little\n"
    "  --list        names and what they measure\n"
    "  --steps N     steps to time in each case (cranes)\n"
    "  --only NAME   only cases with this in their name, as 'tower crane, layered' (cranes), or families: machine, "
    "bridle,\n"
    "                rerouting, hoist, heavy, grasp, draw, hit, loop, slack rope, hook, throw (random)\n"
    "  --first K     the first of the random machines (random), walks of 1000 configurations (route --walk) or random\n"
    "                slack ropes (ancf --count)\n"
    "  --count N     how many machines (random); only so many random slack ropes and hooks (ancf)\n"
    "  --seconds S   how long each machine runs (random)\n"
    "  --rates       how often random scenes fail whose numbers nobody has looked at, with 95 % intervals (random)\n"
    "  --block K     numbers from 1000 (K - 1) + 1000001 on (random --rates); without, the next that is not listed in\n"
    "                bench/random/rates.csv\n"
    "  --walk N      only N configurations of a random walk against brute force (route)\n"
    "  --plot DIR    also error against processor time, as DIR/westin.csv and .svg (westin)\n"
    "\n"
    "Exit codes of bench\n"
    "  0    all goals hold\n"
    "  1    some do not, or a case of ours failed\n"
    "  2    the command line is wrong\n";

static const char DOCS[] = "reeve docs - print what is written from the program itself\n"
                           "\n"
                           "Usage\n"
                           "  reeve docs scene|study|schema|man\n"
                           "\n"
                           "  scene    every field of a scene, its unit, range and default (docs/scene.md)\n"
                           "  study    every field of a study (the end of docs/sweep.md)\n"
                           "  schema   both as a JSON schema, for editors (docs/scene.schema.json)\n"
                           "  man      the manual page (docs/reeve.1)\n";

static const struct {
    const char *name, *text;
} TOPICS[] = {{"", OVERVIEW},   {"run", RUN}, {"view", VIEW},   {"check", CHECK},
              {"sweep", SWEEP}, {"new", NEW}, {"bench", BENCH}, {"docs", DOCS}};

enum { TOPIC_COUNT = sizeof TOPICS / sizeof TOPICS[0] };

static void print_topic(int topic, FILE* out)
{
    fputs(TOPICS[topic].text, out);
    if (TOPICS[topic].text == NEW)
        rv_print_templates(out);
}

int rv_cmd_help(int argc, char** argv)
{
    if (argc > 2)
        return rv_usage("help", "expected one command, is \"%s\" and \"%s\"", argv[1], argv[2]);
    const char* about = argc > 1 && strcmp(argv[1], "help") != 0 ? argv[1] : "";
    for (int i = 0; i < TOPIC_COUNT; ++i) {
        if (strcmp(TOPICS[i].name, about) != 0)
            continue;
        print_topic(i, stdout);
        return RV_EXIT_OK;
    }
    fprintf(stderr, "reeve help: there is no command \"%s\"\nTry `reeve help`.\n", about);
    return RV_EXIT_USAGE;
}

// ---- the manual page: the same texts as roff

static void print_escaped(const char* text, size_t length)
{
    for (size_t i = 0; i < length; ++i) {
        if (text[i] == '\\' || text[i] == '-')
            putchar('\\');
        putchar(text[i]);
    }
    putchar('\n');
}

// Headings stand at the margin, are short and no sentences; all else keeps its lines.
static bool is_heading(const char* line, size_t length)
{
    return length > 0 && length < 20 && line[0] != ' ' && line[length - 1] != '.';
}

void rv_print_manual(void)
{
    printf(".TH REEVE 1 \"\" \"reeve %s\" \"User Commands\"\n", rvVersion());
    for (int i = 0; i < TOPIC_COUNT; ++i) {
        const char* line = TOPICS[i].text;
        for (bool first = true; *line; first = false) {
            size_t length = strcspn(line, "\n");
            if (first)
                fputs(i == 0 ? ".SH NAME\n" : ".SH ", stdout);
            else if (is_heading(line, length))
                fputs(".SS ", stdout);
            print_escaped(line, length);
            if (first || is_heading(line, length))
                fputs(".nf\n", stdout);
            line += length + (line[length] == '\n');
        }
        if (TOPICS[i].text == NEW)
            rv_print_templates(stdout);
    }
}
