import { ConfigError } from '../config/config.ts'
import { DataDirectoryError } from '../config/data-directory.ts'
import { EmbeddedError } from '../db/embedded/program.ts'
import {
  CommitUnknown,
  DatabaseSetupError,
  isConnectionLost,
  isCrowded,
  isDatabaseUnavailable,
  isForbidden,
  isOutOfRoom,
  isReadOnly,
} from '../db/failure.ts'
import { MigrationError } from '../db/migrate.ts'
import { DomainError, type Failure } from '../domain/failures.ts'
import { fieldText } from '../http/api/field-texts.ts'
import { messageOf } from '../http/api/responses.ts'
import { CliError, errorCode } from '../lib/errors.ts'
import { visibleLine } from '../lib/escape.ts'
import { scrub } from '../observability/log.ts'
import type { Lines } from './command.ts'
import { exit_failed, exit_usage } from './exit-codes.ts'

/** We have written the messages of these errors, with their line breaks. */
const operatorErrors = [ConfigError, DataDirectoryError, DatabaseSetupError, EmbeddedError, MigrationError]

const fileIsClosed = /^(EACCES|EPERM)$/
const diskIsFull = /^(ENOSPC|EDQUOT)$/

/** Takes the error that ended a command; gives its lines for the operator, and the exit code. */
export function explainFailure(error: unknown): { readonly lines: Lines; readonly code: number } {
  return { lines: explain(error), code: error instanceof ConfigError ? exit_usage : exit_failed }
}

function explain(error: unknown): Lines {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof CliError) return error.message
  if (operatorErrors.some((kind) => error instanceof kind)) return error.message.split('\n')
  if (error instanceof DomainError) return sentencesOf(error.failure)
  if (diskIsFull.test(errorCode(error) ?? ''))
    return `The disk is full (${error.message}): make some room, then run this again.`
  if (fileIsClosed.test(errorCode(error) ?? '') && 'path' in error)
    return `${error.path} is closed to this user (${errorCode(error)}): run as its owner, or give it to this user.`
  // The text of an unexpected error may contain a key or a phone number.
  const trouble = troubleOf(error)
  if (trouble !== undefined) return scrub(trouble)
  return stackOf(error).map(scrub)
}

/** What keeps a database from doing its work, in a sentence for the operator; undefined for any other error. */
export function troubleOf(error: unknown): string | undefined {
  // Its message is a whole sentence already.
  if (!(error instanceof Error) || error instanceof DatabaseSetupError) return undefined
  const { message } = error
  if (error instanceof CommitUnknown)
    return 'The database went away while the change was committed: look whether it was made before you run this again.'
  if (isReadOnly(error)) return `The database takes no writes (${message}): point DATABASE_URL at the primary server.`
  if (isOutOfRoom(error)) return `The database is out of room (${message}): make some, then run this again.`
  if (isForbidden(error))
    return `The role of this connection lacks a right (${message}): run nuqta migrate with NUQTA_MIGRATION_URL, which grants the service what it needs.`
  if (isCrowded(error))
    return `The database gives no more connections (${message}): end what else uses it, or let it have more, then run this again.`
  if (isConnectionLost(error)) return `The database cannot be reached: ${message}.`
  return isDatabaseUnavailable(error) ? `The database cannot do this now: ${message}.` : undefined
}

/** The stack of an unexpected error, with its message on one line: that may quote what a stranger sent. */
function stackOf({ stack, message }: Error): string[] {
  return (stack ?? message).replace(message, () => visibleLine(message)).split('\n')
}

/** What the API says of a failure, in English; a command that can say more catches it. */
function sentencesOf(failed: Failure): Lines {
  if (failed.kind !== 'validation') return messageOf(failed, 'en')
  return failed.errors.map((error) => fieldText(error, 'en'))
}
