/**
 * Whether the terminal may close without ending this process, as under `nohup`. Node gives ignored signals their effect back when
 * it starts, so bin/nuqta says it.
 */
export const isHangupIgnored = (): boolean => process.env['HANGUP_IGNORED'] === 'yes'

/** The signals that end this process in order. */
export const endingSignals = (): NodeJS.Signals[] =>
  isHangupIgnored() ? ['SIGTERM', 'SIGINT'] : ['SIGTERM', 'SIGINT', 'SIGHUP']
