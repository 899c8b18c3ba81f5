import { readFileSync } from 'node:fs'

/**
 * How many files and connections this process may have open at the same time; undefined where the system does not say. Node.js
 * raises its limit at the start as far as it may.
 */
export function mostOpenFiles(read: () => string = ownLimits): number | undefined {
  try {
    const [, most] = /^Max open files +(\d+)/m.exec(read()) ?? []
    return most === undefined ? undefined : Number(most)
  } catch {
    return undefined
  }
}

function ownLimits(): string {
  return readFileSync('/proc/self/limits', 'utf8')
}
