/** The database cannot be used as it is; the message is a sentence that says why, and what to do. */
export class DatabaseSetupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DatabaseSetupError'
  }
}
