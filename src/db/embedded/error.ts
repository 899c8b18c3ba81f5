/** The embedded PostgreSQL cannot run; the message is one sentence that says what to do. */
export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError'
}

const known: readonly (readonly [RegExp, string])[] = [
  [/No space left on device|Disk quota exceeded/i, 'the disk is full: free some space and start again'],
  [
    /could not look up effective user ID|local user with ID \d+ does not exist/i,
    'this user id has no name on this machine: give it one in /etc/passwd, run as another user, or set DATABASE_URL',
  ],
  [
    /Read-only file system/i,
    'its file system is read-only: choose another directory with NUQTA_DATA_DIR or --data-dir, or set DATABASE_URL',
  ],
  [
    /could not create shared memory segment|could not map anonymous shared memory|Cannot allocate memory/i,
    'there is not enough memory: lower shared_buffers in its postgresql.conf, free some, or set DATABASE_URL',
  ],
  [
    /pre-existing shared memory block .* is still in use/is,
    'processes of an earlier server still hold it: end them and start again',
  ],
  [
    /error while loading shared libraries|Library not loaded|cannot execute binary file|GLIBC/i,
    'its programs do not run on this system (PostgreSQL needs glibc or macOS): set DATABASE_URL to a PostgreSQL of yours',
  ],
  [
    /has wrong ownership|could not access directory|Permission denied/i,
    'its files belong to another user: run as that user, or choose another directory with NUQTA_DATA_DIR or --data-dir',
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
