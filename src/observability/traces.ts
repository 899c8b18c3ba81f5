import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span, Tracer } from '@opentelemetry/api'
import { CliError } from '../lib/errors.ts'

/** Spans of this process for an OpenTelemetry collector. No span has a key, a phone, a name or a URL as an attribute. */
export interface Traces {
  /** Begins the span of a request, runs `next` within it, and gives its end. */
  request(method: string, next: () => void): EndRequest
  /** Begins the span of a transaction, within that of the request that began it, and gives its end. */
  transaction(): (failed: boolean) => void
  /** Adds the span of an attempt to deliver an event, which has just ended. */
  delivery(outcome: string, duration_ms: number): void
  /** Sends what is left. */
  stop(): Promise<void>
}

/** `route` is the pattern of the path. */
export type EndRequest = (route: string, status: number) => void

export interface TraceOptions {
  /** `OTEL_EXPORTER_OTLP_ENDPOINT`: spans are posted to `/v1/traces` below it. */
  readonly endpoint: string
  readonly version: string
  readonly role: string
}

/** A collector that is away may not hold up the stop of the process. */
const timeout_ms = 3_000

/**
 * Starts to send spans. Only then are the OpenTelemetry packages loaded.
 * @throws CliError if they are not installed
 */
export async function startTraces({ endpoint, version, role }: TraceOptions): Promise<Traces> {
  const { otel, sdk, resources, exporters } = await load()
  const exporter = new exporters.OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: timeout_ms,
  })
  const attributes = { 'service.name': 'nuqta', 'service.version': version, 'nuqta.role': role }
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes(attributes),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, exportTimeoutMillis: timeout_ms })],
  })
  return tracesOf(otel, provider.getTracer('nuqta', version), () => provider.shutdown())
}

type Otel = typeof import('@opentelemetry/api')

function tracesOf(
  { trace, ROOT_CONTEXT, SpanKind, SpanStatusCode }: Otel,
  tracer: Tracer,
  stop: Traces['stop'],
): Traces {
  const requests = new AsyncLocalStorage<{ readonly span: Span; ended: boolean }>()
  const fail = (span: Span, failed: boolean): void => {
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
  }
  return {
    request(method, next) {
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, root: true }, ROOT_CONTEXT)
      span.setAttribute('http.request.method', method)
      const request = { span, ended: false }
      requests.run(request, next)
      return (route, status) => {
        span
          .updateName(`${method} ${route}`)
          .setAttributes({ 'http.route': route, 'http.response.status_code': status })
        fail(span, status >= 500)
        span.end()
        request.ended = true
      }
    },
    transaction() {
      const request = requests.getStore()
      // A later batch may run in the context of a request that has already ended.
      const within = request === undefined || request.ended ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, request.span)
      const span = tracer.startSpan(
        'transaction',
        { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } },
        within,
      )
      return (failed) => {
        fail(span, failed)
        span.end()
      }
    },
    delivery(outcome, duration_ms) {
      const startTime = Date.now() - duration_ms
      const attributes = { 'nuqta.delivery.outcome': outcome }
      const span = tracer.startSpan('delivery', { kind: SpanKind.CLIENT, startTime, attributes }, ROOT_CONTEXT)
      fail(span, outcome !== 'delivered')
      span.end()
    },
    // A collector that is away loses the last spans; that is no failure of ours.
    stop: () => stop().catch(() => undefined),
  }
}

async function load() {
  try {
    const [otel, sdk, resources, exporters] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ])
    return { otel, sdk, resources, exporters }
  } catch (error) {
    throw new CliError(
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, and the OpenTelemetry packages are missing: install Nuqta again, or unset it.',
      { cause: error },
    )
  }
}
