import { type Profiler, Session } from 'node:inspector/promises'
import { root } from './tree.ts'

/** The files of src/ in which `work` ran a function, by V8's coverage. Modules that were only loaded do not count. */
export async function filesExecutedBy(work: () => Promise<unknown>): Promise<string[]> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await session.post('Profiler.takePreciseCoverage') // starts counting from here
    await work()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return [...new Set(result.filter(ranAFunction).map(pathOf))].filter((path) => path.startsWith('src/')).sort()
  } finally {
    session.disconnect()
  }
}

/** The first of a script's functions is its module, which runs when it is loaded. */
function ranAFunction({ functions }: Profiler.ScriptCoverage): boolean {
  return functions.some(({ functionName, ranges }) => functionName !== '' && ranges.some(({ count }) => count > 0))
}

function pathOf({ url }: Profiler.ScriptCoverage): string {
  return url.replace(/^file:\/\//, '').replace(root, '')
}
