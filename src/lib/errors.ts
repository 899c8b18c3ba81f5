/** What a person asked for by a command cannot be done; the message is a sentence that says why, and what to do. */
export class CliError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CliError'
  }
}
