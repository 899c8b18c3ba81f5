/**
 * Whether the terminal may close without ending this process, as under `nohup`. Node gives ignored signals their effect back when
 * it starts, so bin/nuqta says it.
 */
export const isHangupIgnored = (): boolean => process.env['HANGUP_IGNORED'] === 'yes'
