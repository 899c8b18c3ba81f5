import { type Html, html } from '../design/html.ts'
import type { ApiDescription, Endpoint, Media, Parameter } from './description.ts'
import { samplesOf } from './samples.ts'
import { renderCodeSpans, renderSchema } from './schema.ts'

/** Gives the endpoints of a tag, each under a heading with its operation id as anchor. */
export function renderEndpoints(tag: string, endpoints: readonly Endpoint[], description: ApiDescription): Html {
  const { info } = description
  return html`<h1 id="${tag.toLowerCase()}">${tag}</h1>
<p class="soft">API ${info.version}. ${renderCodeSpans(info.description)}</p>
${endpoints.map((endpoint) => section(endpoint, description.components.parameters))}`
}

function section({ method, path, operation }: Endpoint, known: Readonly<Record<string, Parameter>>): Html {
  const { operationId, summary, description, security, requestBody, responses } = operation
  const body = requestBody?.content['application/json']
  const parameters = operation.parameters.map((one) => ('$ref' in one ? parameterAt(one.$ref, known) : one))
  const { 200: success, ...failures } = responses
  const data = success?.content['application/json']
  return html`<section class="endpoint">
<h2 id="${operationId}">${summary}</h2>
<p class="path"><strong>${method}</strong> <code>/api${path}</code></p>
${description === undefined ? null : html`<p>${renderCodeSpans(description)}</p>`}
<p class="soft">${security.length > 0 ? html`Private key in <code>x-api-key</code>.` : html`No header; the public key is in the path.`}</p>
<h3>Samples</h3>
${samples({ method, path, operation })}
<h3>Parameters</h3>
<div class="table" tabindex="0"><table><thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">What</th></tr></thead>
<tbody>${parameters.map(parameterRow)}</tbody></table></div>
${body === undefined ? null : html`<h3>Body${requestBody?.required ? '' : ' (optional)'}</h3>${renderSchema(body.schema)}`}
<h3>Answer</h3>
${data === undefined ? null : html`${renderSchema(dataOf(data.schema))}${folded('Example', data.example)}`}
<h3>Errors</h3>
${Object.entries(failures).map(([status, { content }]) => failureList(status, content['application/json']))}
</section>`
}

/** One is open at a time; `src/browser/docs.ts` opens the same language everywhere. */
function samples(endpoint: Endpoint): Html {
  const { operationId } = endpoint.operation
  const each = samplesOf(endpoint).map(
    ({ language, code }) => html`<details name="${operationId}-sample" data-language="${language}">
<summary>${language}</summary><pre tabindex="0"><code>${code}</code></pre></details>`,
  )
  return html`<div class="samples">${each}</div>`
}

function parameterAt(ref: string, known: Readonly<Record<string, Parameter>>): Parameter {
  const found = known[ref.split('/').at(-1) ?? '']
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
${folded(html`Body of <code>${kind}</code>`, value)}</li>`,
  )
  return html`<div class="failure"><strong>${status}</strong><ul>${items}</ul></div>`
}

function folded(title: string | Html, value: unknown): Html | null {
  if (value === undefined) return null
  return html`<details><summary>${title}</summary><pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre></details>`
}
