import type { Failure } from '../../domain/failures.ts'
import { appendedData, messageOf } from './error-answers.ts'
import { fieldMessages } from './field-texts.ts'
import type { Locale } from './locale.ts'

/** Spec, "Response envelope": the only place that shapes bodies. */

export interface SuccessBody {
  readonly status: true
  readonly message: ''
  readonly appended_data: object
  readonly data: object
}

export interface FailureBody {
  readonly status: false
  readonly message: string
  readonly appended_data: object
  readonly errors?: Readonly<Record<string, readonly string[]>>
}

/**
 * Takes the `data` of an answer (an object or a list), what goes into `appended_data`, normally nothing, and what stands
 * beside `data`: the links and the meta of a page (decisions §3).
 */
export function success(data: object, appended: object = {}, beside: object = {}): SuccessBody {
  return { status: true, message: '', appended_data: appended, data, ...beside }
}

/** Takes a failure and the locale its texts are wanted in. Field texts come with validation failures alone. */
export function failure(failed: Failure, locale: Locale): FailureBody {
  const body = {
    status: false,
    message: messageOf(failed, locale),
    appended_data: appendedData(failed, locale),
  } as const
  return failed.kind === 'validation' ? { ...body, errors: fieldMessages(failed.errors, locale) } : body
}
