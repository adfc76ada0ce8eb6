// SPDX-License-Identifier: MIT
#include "peers/fehlberg.h"

#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>
#include <string.h>

static int rates(realtype t, N_Vector y, N_Vector dy, void* context)
{
    const rvFehlberg* method = context;
    return method->rates(method->context, t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy)) ? 0 : -1;
}

static bool march(void* solver, const rvFehlberg* method, N_Vector y, double t, double until)
{
    if (ERKStepSetUserData(solver, (void*)method) != ARK_SUCCESS ||
        ERKStepSetTableNum(solver, ARKODE_FEHLBERG_6_4_5) != ARK_SUCCESS ||
        ERKStepSStolerances(solver, method->relative, method->absolute) != ARK_SUCCESS ||
        ERKStepSetMaxNumSteps(solver, -1) != ARK_SUCCESS || ERKStepSetStopTime(solver, until) != ARK_SUCCESS)
        return false;
    while (t < until) {
        int flag = ERKStepEvolve(solver, until, y, &t, ARK_ONE_STEP);
        if (flag != ARK_SUCCESS && flag != ARK_TSTOP_RETURN)
            return false;
        if (method->kept)
            method->kept(method->context, t, N_VGetArrayPointer(y));
    }
    return true;
}

bool rv_fehlberg_run(const rvFehlberg* method, double t, double until, double* y, long* steps, long* calls)
{
    SUNContext sun = NULL;
    if (SUNContext_Create(NULL, &sun) != 0)
        return false;
    N_Vector vector = N_VMake_Serial(method->count, y, sun);
    void* solver = vector ? ERKStepCreate(rates, t, vector, sun) : NULL;
    bool good = solver && march(solver, method, vector, t, until);
    long count = 0;
    if (solver && ERKStepGetNumSteps(solver, &count) == ARK_SUCCESS)
        *steps += count;
    if (solver && ERKStepGetNumRhsEvals(solver, &count) == ARK_SUCCESS)
        *calls += count;
    if (solver)
        ERKStepFree(&solver);
    if (vector)
        N_VDestroy(vector);
    SUNContext_Free(&sun);
    return good;
}
