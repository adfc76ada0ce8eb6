// SPDX-License-Identifier: MIT
import uPlot from "uplot";
window.uPlot = uPlot;
