import { type DestinationStream, destination, type Logger, pino } from 'pino'
import type { Config } from '../config/config.ts'

export type Log = Logger

/** Fields whose values never reach a log, at the top of an entry or down to three levels below. */
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
  // Of a database error: the row that it refused, names and addresses included, and the text it was reading.
  'detail',
  'where',
]

const redacted = '[redacted]'

/** Keys and phone numbers that stand inside a longer text, such as the message of a database error. */
const secretTexts = [
  /\b(?:[sp]k_(?:test|live)|whsec|chsec)_\w+/g,
  /(?<![\w.+-])(?:\+?966|00966|0)?5\d{8}(?![\w-]|\.\d)/g,
  /\b(?:postgres(?:ql)?|https?):\/\/[^\s/@:"]+:[^\s/@"]+@/g,
]

/** Takes a line about to be written; gives it without the keys, phone numbers and passwords that texts may carry. */
export function scrub(line: string): string {
  return secretTexts.reduce((clean, pattern) => clean.replace(pattern, redacted), line)
}

export interface LogOptions {
  readonly level: Config['log_level']
  /** Standard error unless told otherwise: standard output belongs to what commands print. */
  readonly stream?: DestinationStream
}

/**
 * Makes the structured log, one JSON object a line. Entries are written in the background; `flushLog` writes what is
 * left before the process ends.
 */
export function createLog({ level, stream = destination({ dest: 2, sync: false }) }: LogOptions): Log {
  return pino(
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
}

function atEveryDepth(field: string): string[] {
  const name = `["${field}"]`
  return [name, `*${name}`, `*.*${name}`, `*.*.*${name}`]
}

/** Resolves when everything logged so far has been written. */
export function flushLog(log: Log): Promise<void> {
  return new Promise((resolve) => {
    log.flush(() => resolve())
  })
}
