import { Failure } from '../failure.ts'
import { html, json, type Answer } from './answer.ts'
import { PAGE_HEADERS } from './headers.ts'
import type { Request } from './request.ts'

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string): string => text.replace(/[&<>"']/g, found => ESCAPES[found] ?? found)

/** Whether errors of this request are pages: a browser that asks for HTML outside of the API. */
export const wantsPage = (request: Request): boolean =>
  !request.path.startsWith('/api/') && /\btext\/html\b/.test(request.header('accept'))

/** The one place that turns an error into a response (api/conventions.md, section 6). Never shows what is no Failure. */
export function failureAnswer(error: unknown, asPage: boolean): Answer {
  const failure = error instanceof Failure ? error : new Failure('internal')
  const body = { error: failure.message, ...failure.body }
  if (!asPage) {
    return json(failure.status === 500 ? { status: 500, ...body } : body, failure.status, failure.headers)
  }
  const title = escape(failure.message)
  const text = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><link rel="stylesheet" href="/assets/style.css"></head><body><main class="card"><h1>${failure.status}</h1><p role="alert">${title}</p><p><a href="/">Back to the start</a></p></main></body></html>`
  return html(text, failure.status, { ...PAGE_HEADERS, 'Cache-Control': 'private, no-store', ...failure.headers })
}
