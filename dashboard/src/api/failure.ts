/** A request that was refused, or that got no answer. */
export class ApiFailure extends Error {
  /** Of HTTP; 0 when the service could not be reached. */
  readonly status: number
  /** The failing fields with their sentences. */
  readonly errors: Readonly<Record<string, readonly string[]>>
  readonly appended: Readonly<Record<string, unknown>>
  readonly request_id: string | null

  constructor({
    status,
    message,
    errors,
    appended,
    request_id,
  }: Pick<ApiFailure, 'status' | 'message' | 'errors' | 'appended' | 'request_id'>) {
    super(message)
    this.name = 'ApiFailure'
    this.status = status
    this.errors = errors
    this.appended = appended
    this.request_id = request_id
  }

  /** Nobody is signed in, or a password or code was wrong. */
  get isSignedOut(): boolean {
    return this.status === 401
  }

  /** What the reader can prove by who they are, where that lets the same request through. Empty for any other failure. */
  get confirmBy(): readonly string[] {
    const by = this.status === 403 ? this.appended['confirm_by'] : undefined
    return Array.isArray(by) ? by.map(String) : []
  }

  /** The present state of what was edited, if somebody else changed it first. Undefined for any other failure. */
  get current(): unknown {
    return this.status === 409 ? this.appended['current'] : undefined
  }
}

/**
 * For what a URL names and nobody has: shows in its place the page that says so. Thrown by a component, the router's own
 * `notFound()` would replace the whole dashboard.
 */
export function nothingHere(): ApiFailure {
  return new ApiFailure({ status: 404, message: '', errors: {}, appended: {}, request_id: null })
}

/** Reads the envelope of a failure; a proxy may answer with anything else. */
export function failureOf(response: Response, body: unknown): ApiFailure {
  const { message, errors, appended_data } = isRecord(body) ? body : {}
  return new ApiFailure({
    status: response.status,
    message: typeof message === 'string' ? message : '',
    errors: isRecord(errors) ? (errors as ApiFailure['errors']) : {},
    appended: isRecord(appended_data) ? appended_data : {},
    request_id: response.headers.get('x-request-id'),
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The failure of a request that did not reach the service. */
export function unreachable(): ApiFailure {
  return new ApiFailure({ status: 0, message: '', errors: {}, appended: {}, request_id: null })
}
