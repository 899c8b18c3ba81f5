import { readFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { mebibyte } from '../lib/sizes.ts'
import type { BenchServer } from './server.ts'

const sample_ms = 100

/** Runs some work, and samples the resident memory of the service meanwhile. */
export async function watchMemory<T>(
  server: BenchServer,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly rss_peak_mb: number }> {
  let rss_peak_mb = 0
  const look = async (): Promise<void> => {
    rss_peak_mb = Math.max(rss_peak_mb, await residentMb(server))
  }
  const timer = setInterval(() => void look().catch(() => undefined), sample_ms)
  const result = await work().finally(() => clearInterval(timer))
  await look()
  return { result, rss_peak_mb }
}

/** Reads the memory of the service from the system where it can: asking the service would wait for its other work. */
export async function residentMb({ pid, metric }: BenchServer): Promise<number> {
  if (platform() !== 'linux') return (await metric('process_resident_memory_bytes')) / mebibyte
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
}
