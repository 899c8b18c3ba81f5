import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { type DataDirectory, openDataDirectory } from '../../src/config/data-directory.ts'
import { findBinaries, rootCache } from '../../src/db/embedded/binaries.ts'
import { ensureCluster } from '../../src/db/embedded/cluster.ts'
import { accountFor } from '../../src/db/embedded/program.ts'

const copy = promisify(execFile)

/** Makes the cluster that a run copies, because a first start takes a second of CPU. Gives its folder. */
export async function makeFreshCluster(path: string): Promise<string> {
  const { cluster, binaries } = await openDataDirectory(path)
  const account = await accountFor(cluster)
  const bin = await findBinaries({ account, cache: account === undefined ? binaries : rootCache })
  await ensureCluster({ bin, folder: cluster, account }, false)
  return cluster
}

/** Creates a data directory with a copy of a fresh cluster, as a stopped first start leaves it. */
export async function openWithCluster(
  path: string,
  cluster: string = inject('server').cluster,
): Promise<DataDirectory> {
  const dir = await openDataDirectory(path)
  // Keep the owner of the files, which is not root.
  await copy('cp', ['-a', cluster, dir.cluster])
  return dir
}
