import { ApiError } from '../../core/errors.ts'
import { renderMarkdown } from '../../core/text/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import { href, Html, html, section, table, type Content, type Page } from '../../platform/ui/index.ts'
import { resolveResponse, type DocumentedOperation, type OpenApi } from './document.ts'
import type { DocumentedResponse } from './responses.ts'
import { membersOf, schemaHtml } from './schema_html.ts'

/** What is asked for: a group's operations, an entity, or the overview. */
export interface Wanted {
  readonly group?: string | undefined
  readonly entity?: string | undefined
}

interface Listed extends Omit<DocumentedOperation, 'responses'> {
  readonly responses: Readonly<Record<string, DocumentedResponse>>
  readonly method: string
  readonly path: string
}

function operationsOf(document: OpenApi, group: string): Listed[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(
        ([
          ,
          {
            tags: [tag],
          },
        ]) => tag === group,
      )
      .map(([method, documented]) => {
        const resolved = Object.entries(documented.responses).map(([status, one]) => [
          status,
          resolveResponse(document, one),
        ])
        const responses = Object.fromEntries(resolved) as Listed['responses']
        return { ...documented, responses, method: method.toUpperCase(), path }
      }),
  )
}

/** The texts of the document are English in every language of the page. */
const markdown = (text: string): Html => html`<div lang="en">${new Html(renderMarkdown(text))}</div>`

/** The page about the API, in the language of the visitor. */
export function apiPage(document: OpenApi, wanted: Wanted, translator: Translator): Page {
  const page =
    wanted.entity !== undefined
      ? entityPage(document, wanted.entity, translator)
      : wanted.group !== undefined
        ? groupPage(document, wanted.group, translator)
        : overview(document, translator)
  return { ...page, column: true, head: html`<link rel="stylesheet" href="/assets/api.css" />` }
}

function overview(document: OpenApi, { t }: Translator): Page {
  const groups = document.tags.map(({ name }) => groupSection(document, name))
  const entities = Object.keys(document.components.schemas).map(
    name => html`<li><a href="${href('/api', { entity: name })}">${name}</a></li>`,
  )
  return {
    title: t('api.title'),
    body: html`<section class="card section">
        <h1>${t('api.title')}</h1>
        <p><a href="/api/openapi.json">${t('api.document')}</a></p>
        ${markdown(String(document.info['description']))}
      </section>
      ${groups}
      ${section(
        'entities',
        t('api.entities'),
        html`<ul class="names" lang="en">
          ${entities}
        </ul>`,
      )}`,
  }
}

function groupSection(document: OpenApi, name: string): Html {
  const lines = operationsOf(document, name).map(
    ({ method, path, summary, operationId }) =>
      html`<li>
        <a href="${href('/api', { group: name })}#${operationId}"><code>${method} ${path}</code></a>
        <span lang="en">${summary}</span>
      </li>`,
  )
  return section(
    `group_${name.replace('/', '_')}`,
    name,
    html`<ul class="operations">
      ${lines}
    </ul>`,
  )
}

const backLink = ({ t }: Translator): Html => html`<p><a href="/api">${t('api.overview')}</a></p>`

function groupPage(document: OpenApi, group: string, translator: Translator): Page {
  const operations = operationsOf(document, group)
  if (operations.length === 0) throw new ApiError('routeNotFound')
  const description = document.tags.find(({ name }) => name === group)?.description
  return {
    title: `${translator.t('api.title')}: ${group}`,
    body: html`<section class="card section">
        ${backLink(translator)}
        <h1>${group}</h1>
        ${description !== undefined && markdown(description)}
      </section>
      ${operations.map(one => operationSection(one, translator))}`,
  }
}

function operationSection(operation: Listed, translator: Translator): Html {
  const { t } = translator
  const errors = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400)
  return section(operation.operationId, `${operation.method} ${operation.path}`, [
    html`<p lang="en">${operation.summary}</p>`,
    operation.deprecated === true && html`<p class="quiet">${t('api.deprecated')}</p>`,
    html`<p>${t('api.callers')}${t('ui.colon')} ${callersOf(operation, translator)}</p>`,
    parametersTable(operation, translator),
    html`<p>${t('api.returns')}${t('ui.colon')} ${returnsOf(operation)}</p>`,
    html`<details class="disclosure">
      <summary>${t('api.errors')}</summary>
      <dl class="errors" lang="en">
        ${errors.map(
          ([status, { description }]) =>
            html`<dt>${status}</dt>
              <dd>${markdown(description)}</dd>`,
        )}
      </dl>
    </details>`,
  ])
}

/** The scopes that are enough, or that anybody may call it. */
function callersOf({ security }: Listed, { t }: Translator): Content {
  if (security.length === 0) return t('api.anybody')
  const scopes = [...new Set(security.flatMap(one => Object.values(one).flat()))]
  const codes = scopes.map(scope => html`<code>${scope}</code> `)
  const takesAnonymous = security.some(one => Object.keys(one).length === 0)
  const takesApplications = security.some(one => 'application' in one)
  return [
    takesAnonymous && `${t('api.anybody')}; `,
    takesApplications && `${t('api.application')}; `,
    security.some(one => 'user' in one) && `${t('api.user')} `,
    codes,
  ]
}

function parametersTable({ parameters = [], requestBody }: Listed, { t }: Translator): Content {
  const body = requestBody?.content['application/json']?.schema ?? {}
  const inBody = Object.entries(body.properties ?? {}).map(([name, schema]) => ({
    name,
    place: t('api.in_body'),
    isRequired: body.required?.includes(name) === true,
    schema,
    description: schema.description,
  }))
  const others = parameters.map(({ name, in: place, required, schema, description }) => ({
    name,
    place: place === 'path' ? t('api.in_path') : t('api.in_query'),
    isRequired: required === true,
    schema,
    description,
  }))
  const all = [...others, ...inBody]
  if (all.length === 0) return null
  return table({
    caption: t('api.parameters'),
    columns: [t('api.name'), t('api.place'), t('api.type'), t('api.meaning')].map(label => ({ label })),
    rows: all.map(({ name, place, isRequired, schema, description }) => [
      html`<code>${name}</code>`,
      isRequired ? `${place}, ${t('api.required')}` : place,
      schemaHtml(schema),
      description,
    ]),
    empty: '',
  })
}

function returnsOf({ responses }: Listed): Content {
  const successes = Object.entries(responses).filter(([status]) => Number(status) < 400)
  return successes.map(([status, { content = {} }], index) => [
    index > 0 && ', ',
    `${status} `,
    Object.entries(content).map(([type, { schema }]) => (type === 'application/json' ? schemaHtml(schema) : type)),
  ])
}

function entityPage(document: OpenApi, name: string, translator: Translator): Page {
  const { schemas } = document.components
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
  if (!schema) throw new ApiError('routeNotFound')
  const { t } = translator
  const bases = schema.allOf?.filter(({ $ref }) => $ref !== undefined) ?? []
  return {
    title: `${t('api.title')}${t('ui.colon')} ${name}`,
    body: html`<section class="card section">
      ${backLink(translator)}
      <h1>${name}</h1>
      ${schema.description !== undefined && schema.description.split('\n').map(line => html`<p lang="en">${line}</p>`)}
      ${bases.length > 0 && html`<p>${t('api.extends')}${t('ui.colon')} ${bases.map(schemaHtml)}</p>`}
      ${table({
        caption: name,
        columns: [t('api.name'), t('api.type'), t('api.meaning')].map(label => ({ label })),
        rows: membersOf(schema).map(({ name: member, schema: inner, isRequired }) => [
          html`<code>${member}</code>`,
          isRequired ? schemaHtml(inner) : [schemaHtml(inner), ` (${t('api.optional')})`],
          inner.description,
        ]),
        empty: t('api.empty'),
      })}
    </section>`,
  }
}
