import { type DestinationStream, destination, type Logger, pino } from 'pino'
import type { Config } from '../config/config.ts'
import { within } from '../lib/within.ts'

export type Log = Logger

/** Fields whose values never reach a log, at the top of an entry and down to three levels below. */
const secretFields = [
  'x-api-key',
  'authorization',
  'cookie',
  'set-cookie',
  'x-webhook-secret',
  'api_key',
  'private_key',
  'public_key',
  'secret',
  'secret_key',
  'checkout_secret',
  'signature',
  'password',
  'token',
  'otp',
  'code_hash',
  'phone',
  'phone_number',
  // Fields of a database error: the refused row, with names and addresses, and the text that was read.
  'detail',
  'where',
]

const redacted = '[redacted]'

/** Keys and phone numbers inside a longer text, such as the message of a database error. */
const secretTexts = [
  /\b(?:[sp]k_(?:test|live)|whsec|chsec)_\w+/g,
  /(?<![\w.+-])(?:\+?966|00966|0)?5\d{8}(?![\w-]|\.\d)/g,
  /\b(?:postgres(?:ql)?|https?):\/\/[^\s/@:"]+:[^\s/@"]+@/g,
]

/** Gives a line without the keys, phone numbers and passwords in its texts. */
export function scrub(line: string): string {
  return secretTexts.reduce((clean, pattern) => clean.replace(pattern, redacted), line)
}

export interface LogOptions {
  readonly level: Config['log_level']
  /** Standard error unless given: standard output is for the results of commands. */
  readonly stream?: DestinationStream
}

const streams = new WeakMap<Log, DestinationStream>()

/** The stream of a log, for lines that need no redaction. */
export function streamOf(log: Log): DestinationStream | undefined {
  return streams.get(log)
}

const standard_error = 2
const flush_every_ms = 100

/**
 * Gives the stream of a log to a descriptor or a file. Lines leave together: when 8 KiB wait, and ten times a second. When a
 * reader stops, lines are lost, and the service keeps its memory. While nothing can be written (a full disk, a terminal that
 * is gone), lines wait and the service goes on.
 */
export function logStream(dest: number | string): DestinationStream {
  const stream = destination({ dest, sync: false, minLength: 8_192, maxLength: 8 * 2 ** 20 })
  const write = stream.write.bind(stream)
  // The stream's own periodic flush would write nothing ten times a second while nothing is logged.
  let flushing: NodeJS.Timeout | undefined
  let has_new = false
  stream.write = (line) => {
    has_new = true
    flushing ??= setInterval(() => stream.flush(), flush_every_ms).unref()
    return write(line)
  }
  stream.on('write', (bytes) => {
    const is_empty = bytes === 0 && !has_new
    has_new = false
    if (!is_empty) return
    clearInterval(flushing)
    flushing = undefined
  })
  letFail(stream)
  return stream
}

/**
 * Keeps the failures of a log from ending the process: an error without a listener is thrown. At the end of the process the
 * stream writes what waits and would try again for ever, so this step is left out while it fails.
 */
function letFail(stream: ReturnType<typeof destination>): void {
  let fails = false
  stream.on('error', () => {
    fails = true
  })
  stream.on('write', () => {
    fails = false
  })
  const flushSync = stream.flushSync.bind(stream)
  stream.flushSync = () => {
    if (!fails) flushSync()
  }
}

/**
 * Makes the structured log, one JSON object a line. Entries are written in the background; call `flushLog` before the
 * process ends.
 */
export function createLog({ level, stream = logStream(standard_error) }: LogOptions): Log {
  const log: Log = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretFields.flatMap(atEveryDepth), censor: redacted },
      hooks: { streamWrite: scrub },
    },
    stream,
  )
  streams.set(log, stream)
  return log
}

function atEveryDepth(field: string): string[] {
  const name = `["${field}"]`
  return [name, `*${name}`, `*.*${name}`, `*.*.*${name}`]
}

/** Resolves with true when everything logged so far has been written; with false if it has not after `within_ms`. */
export function flushLog(log: Log, within_ms = 2_000): Promise<boolean> {
  return within(within_ms, new Promise((resolve) => log.flush(() => resolve(true))))
}
