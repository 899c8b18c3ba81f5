import type { Page, PageRow } from '../../http/pages/page.ts'
import { type Html, html } from '../design/html.ts'
import { documentPage } from '../design/layout.ts'
import { renderCodeSpans, renderSchema } from './schema.ts'

/** The part of our OpenAPI description that the page shows. */
export interface ApiDescription {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Components
}

interface Components {
  readonly parameters: Readonly<Record<string, Parameter>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: object
}

interface Media {
  readonly schema: object
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>
}

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security: readonly object[]
  readonly parameters: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly required: boolean; readonly content: { readonly 'application/json': Media } }
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content: { readonly 'application/json': Media } }>
  >
}

interface Endpoint {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** `/docs`: the API reference, rendered from the OpenAPI description on the first request. */
export function docsPage(describe: () => ApiDescription): PageRow<unknown> {
  let page: Page | undefined
  return {
    path: '/docs',
    async show() {
      page ??= pageOf(describe())
      return page
    },
  }
}

function pageOf(description: ApiDescription): Page {
  const { info, tags, components } = description
  const endpoints = endpointsOf(description)
  const body = html`<header><h1>${info.title}</h1>
<p>Version ${info.version}. ${info.description}</p>
<p>The same as a file for tools: <a href="/api/openapi.json">openapi.json</a></p></header>
<div class="columns">
<nav aria-label="Endpoints">${tags.map(({ name }) => contents(name, endpoints))}</nav>
<main>${tags.map(({ name }) => section(name, endpoints, components))}</main>
</div>`
  return documentPage({
    status: 200,
    locale: 'en',
    title: `${info.title}: API ${info.version}`,
    stylesheets: ['docs.css'],
    body,
  })
}

function endpointsOf({ paths }: ApiDescription): Endpoint[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

function endpointsOfTag(tag: string, endpoints: readonly Endpoint[]): Endpoint[] {
  return endpoints.filter(({ operation }) => operation.tags.includes(tag))
}

function contents(tag: string, endpoints: readonly Endpoint[]): Html {
  const items = endpointsOfTag(tag, endpoints).map(
    ({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`,
  )
  return html`<h2>${tag}</h2><ul>${items}</ul>`
}

function section(tag: string, endpoints: readonly Endpoint[], components: Components): Html {
  return html`<section><h2>${tag}</h2>${endpointsOfTag(tag, endpoints).map((endpoint) => article(endpoint, components))}</section>`
}

function article({ method, path, operation }: Endpoint, components: Components): Html {
  const { operationId, summary, description, security, requestBody, responses } = operation
  const body = requestBody?.content['application/json']
  const parameters = operation.parameters.map((one) => ('$ref' in one ? parameterAt(one.$ref, components) : one))
  const { 200: success, ...failures } = responses
  const data = success?.content['application/json']
  return html`<article id="${operationId}">
<h3>${summary}</h3>
<p class="path"><strong>${method}</strong> <code>/api${path}</code></p>
${description === undefined ? null : html`<p>${renderCodeSpans(description)}</p>`}
<p class="soft">${security.length > 0 ? html`Private key in <code>x-api-key</code>.` : html`No header; the public key is in the path.`}</p>
<h4>Parameters</h4>
<table><thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">What</th></tr></thead>
<tbody>${parameters.map(parameterRow)}</tbody></table>
${body === undefined ? null : html`<h4>Body${requestBody?.required ? '' : ' (optional)'}</h4>${renderSchema(body.schema)}${example('Example', body.example)}`}
<h4>Answer</h4>
${data === undefined ? null : html`${renderSchema(dataOf(data.schema))}${example('Example', data.example)}`}
<h4>Errors</h4>
${Object.entries(failures).map(([status, { content }]) => failureList(status, content['application/json']))}
</article>`
}

function parameterAt(ref: string, { parameters }: Components): Parameter {
  const found = parameters[ref.split('/').at(-1) ?? '']
  if (found === undefined) throw new Error(`the API description has no parameter ${ref}`)
  return found
}

function parameterRow(parameter: Parameter): Html {
  const need = parameter.required ? html` <em>required</em>` : null
  return html`<tr><td><code>${parameter.name}</code>${need}</td><td>${parameter.in}</td>
<td>${renderCodeSpans(parameter.description ?? '')} ${renderSchema(parameter.schema)}</td></tr>`
}

/** The schema of an answer without the envelope's common fields: `data` and what is specific to the endpoint. */
function dataOf(schema: object): object {
  const { properties } = schema as { readonly properties: Readonly<Record<string, object>> }
  const own = Object.entries(properties).filter(([name]) => !['status', 'message', 'appended_data'].includes(name))
  return { type: 'object', required: own.map(([name]) => name), properties: Object.fromEntries(own) }
}

function failureList(status: string, { examples = {} }: Media): Html {
  const items = Object.entries(examples).map(
    ([kind, { summary, value }]) => html`<li>${renderCodeSpans(summary)}
<details><summary>Body of <code>${kind}</code></summary><pre>${JSON.stringify(value, null, 2)}</pre></details></li>`,
  )
  return html`<div class="failure"><strong>${status}</strong><ul>${items}</ul></div>`
}

function example(title: string, value: unknown): Html | null {
  if (value === undefined) return null
  return html`<details><summary>${title}</summary><pre>${JSON.stringify(value, null, 2)}</pre></details>`
}
