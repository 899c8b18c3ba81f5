import type { Reporter, TestModule } from 'vitest/node'

const shown = 20

/** Prints the files that took longest, at the end of a run of many. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= shown) return
    const files = modules.map((file) => ({ path: file.relativeModuleId, duration_ms: file.diagnostic().duration }))
    const slowest = files.sort((a, b) => b.duration_ms - a.duration_ms).slice(0, shown)
    const lines = slowest.map(({ path, duration_ms }) => `${(duration_ms / 1000).toFixed(1).padStart(7)} s  ${path}`)
    process.stdout.write(`\nThe slowest files:\n${lines.join('\n')}\n\n`)
  }
}
