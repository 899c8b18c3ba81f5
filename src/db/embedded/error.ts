/** The embedded PostgreSQL cannot run; the message is one sentence that says what to do. */
export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError'
}

const known: readonly (readonly [RegExp, string])[] = [
  [/No space left on device|Disk quota exceeded/i, 'the disk is full; free some space and start again'],
  [
    /could not look up effective user ID/i,
    'this user id has no name on this machine; give it one in /etc/passwd, run as another user, or set DATABASE_URL',
  ],
  [
    /could not (access|open|change permissions of) (directory|file) "\/proc\/self\/fd/i,
    'root cannot hand its folder to another user here; run as an ordinary user, or set DATABASE_URL',
  ],
  [
    /Read-only file system/i,
    'its file system is read-only; choose another directory with NUQTA_DATA_DIR or --data-dir, or set DATABASE_URL',
  ],
  [
    /has invalid permissions|could not change permissions/i,
    'its file system keeps no permissions; choose another directory with NUQTA_DATA_DIR or --data-dir',
  ],
  [
    /could not create shared memory segment|could not map anonymous shared memory|Cannot allocate memory/i,
    'there is not enough memory; free some, lower shared_buffers in its postgresql.conf, or set DATABASE_URL',
  ],
  [
    /pre-existing shared memory block|lock file ".*" already exists/i,
    'another server still uses it; end that and start again',
  ],
  [
    /has wrong ownership|Permission denied/i,
    'its files belong to another user; run as that user, or choose another directory with NUQTA_DATA_DIR or --data-dir',
  ],
]

/** Turns what PostgreSQL's programs printed before they gave up into one sentence with what to do. */
export function explainFailure(what: string, output: string): EmbeddedError {
  const found = known.find(([pattern]) => pattern.test(output))
  const reason = found === undefined ? lastLines(output) : found[1]
  return new EmbeddedError(`The embedded PostgreSQL ${what}: ${reason}.`, { cause: output })
}

function lastLines(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  return lines.length === 0 ? 'it said nothing' : lines.slice(-3).join(' / ').replace(/\.$/, '')
}
