import { ConfigError } from '../config/config.ts'
import { DataDirectoryError } from '../config/data-directory.ts'
import { EmbeddedError } from '../db/embedded/program.ts'
import { DatabaseSetupError, isConnectionLost } from '../db/failure.ts'
import { MigrationError } from '../db/migrate.ts'
import { DomainError, type Failure } from '../domain/failures.ts'
import { fieldText } from '../http/api/field-texts.ts'
import { messageOf } from '../http/api/responses.ts'
import { CliError } from '../lib/errors.ts'
import { scrub } from '../observability/log.ts'

const refused = 1
const wrong_use = 2

const operatorErrors = [CliError, ConfigError, DataDirectoryError, DatabaseSetupError, EmbeddedError, MigrationError]

/** Takes the error that ended a command; gives its text for the operator, and the exit code. */
export function explainFailure(error: unknown): { readonly text: string; readonly code: number } {
  return { text: explain(error), code: error instanceof ConfigError ? wrong_use : refused }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (operatorErrors.some((kind) => error instanceof kind)) return error.message
  if (error instanceof DomainError) return sentenceOf(error.failure)
  // The text of an unexpected error may contain a key or a phone number.
  if (isConnectionLost(error)) return scrub(`The database cannot be reached: ${error.message}.`)
  return scrub(error.stack ?? error.message)
}

/** What the API says of a failure, in English; a command that can say more catches it. */
function sentenceOf(failed: Failure): string {
  if (failed.kind !== 'validation') return messageOf(failed, 'en')
  return failed.errors.map((error) => fieldText(error, 'en')).join('\n')
}
