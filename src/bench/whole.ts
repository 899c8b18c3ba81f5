import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Beside, beside } from './beside.ts'
import { type Filled, secondsOf } from './filled.ts'
import type { BenchServer } from './server.ts'

/** P11, P13: work that reads a whole database, each beside earnings. */
export interface WholeResult {
  readonly verify: Beside & { readonly entries: number }
  readonly preview: Beside
  readonly close: Beside
  readonly ledger_differences: number
}

/** P14. */
export interface CopyResult {
  readonly backup_s: number
  readonly restore_s: number
}

/** Measures the work that reads a whole database, beside earnings. */
export async function measureWhole(filled: Filled, progress: (line: string) => void): Promise<WholeResult> {
  const measured = async (what: string, ...command: string[]) => {
    progress(`${what}, beside earnings`)
    const one = await beside(filled, () => filled.server.command(...command))
    progress(`${what}: ${one.seconds.toFixed(1)} s`)
    return one
  }
  const { output, ...verify } = await measured('verifying the ledger', 'ledger', 'verify')
  const [{ differences, entries }] = output as [{ differences: unknown[]; entries: number }]
  const { output: _shown, ...preview } = await measured('settlement preview', 'settlement', 'preview')
  const { output: _closed, ...close } = await measured('settlement close', 'settlement', 'close', '--yes')
  return { verify: { ...verify, entries }, preview, close, ledger_differences: differences.length }
}

/** Measures backup and restore, alone. */
export async function measureCopies(server: BenchServer, progress: (line: string) => void): Promise<CopyResult> {
  progress('backup')
  const file = join(server.folder, 'whole.backup')
  const backup_s = await secondsOf(() => server.command('backup', file))
  progress('restore')
  const restored = join(server.folder, 'restored')
  await mkdir(restored, { mode: 0o700 })
  await copyFile(join(server.data_dir, 'secret.key'), join(restored, 'secret.key'))
  return { backup_s, restore_s: await secondsOf(() => server.command('restore', file, '--data-dir', restored)) }
}
