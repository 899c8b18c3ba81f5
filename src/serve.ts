import { banner } from './banner.ts'
import { compose, type Running } from './compose.ts'
import type { Config } from './config/config.ts'
import { stopTimes } from './lib/stop-times.ts'
import { createLog, flushLog } from './observability/log.ts'

/**
 * Runs the service until a signal ends it: SIGTERM and SIGINT drain it and finish what runs, a second one ends at once.
 * @returns the exit code
 */
export async function serve(config: Config, { json }: { readonly json: boolean }): Promise<number> {
  const log = createLog({ level: config.log_level })
  const signal = firstSignal()
  const progress = (text: string): void => void process.stderr.write(`${text} …\n`)
  const running = await compose(config, { log, progress })
  log.info({ environment: config.environment, role: config.role, url: running.base_url }, 'ready')
  process.stdout.write(
    json
      ? `${JSON.stringify(facts(running, config))}
`
      : banner(running, config),
  )
  log.info({ signal: await signal, drain_s: config.drain_s }, 'stopping')
  const clean = await stopWithin(running, stopTimes(config).limit_ms)
  if (clean) log.info('stopped')
  else log.error('stopped before everything had finished')
  await flushLog(log)
  return clean ? 0 : 1
}

/** The banner, for programs. */
function facts({ base_url, sandbox }: Running, { environment, role }: Config): object {
  const listening = role === 'worker' ? {} : { base_url }
  return { environment, role, ...listening, ...(sandbox === undefined ? {} : { sandbox_env: sandbox.env_file }) }
}

function firstSignal(): Promise<string> {
  return new Promise((resolve) => {
    let stopping = false
    const onSignal = (signal: string): void => {
      if (stopping) process.exit(1)
      stopping = true
      resolve(signal)
    }
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  })
}

async function stopWithin(running: Running, limit_ms: number): Promise<boolean> {
  const limit = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => limit.resolve(false), limit_ms)
  try {
    return await Promise.race([running.stop().then(() => true), limit.promise])
  } finally {
    clearTimeout(timer)
  }
}
