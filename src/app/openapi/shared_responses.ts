import type { DocumentedResponse } from './responses.ts'

const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** How many operations must have the same error for it to become a component. */
const SHARED_FROM = 3

/** A response, or the reference to one of the components. */
export type ResponseOrReference = DocumentedResponse | { readonly $ref: string }

/**
 * Moves errors that several operations have in common to the components, which halves the
 * document.
 */
export function shareResponses(all: readonly Record<string, DocumentedResponse>[]): {
  shared: Record<string, DocumentedResponse>
  replace(responses: Record<string, DocumentedResponse>): Record<string, ResponseOrReference>
} {
  const counts = new Map<string, number>()
  for (const [, response] of all.flatMap(one => Object.entries(one))) {
    const text = JSON.stringify(response)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const shared: Record<string, DocumentedResponse> = {}
  const names = new Map<string, string>()
  const nameOf = (status: string, response: DocumentedResponse): string | undefined => {
    const text = JSON.stringify(response)
    if (Number(status) < 400 || (counts.get(text) ?? 0) < SHARED_FROM) return undefined
    const known = names.get(text)
    if (known !== undefined) return known
    const base = (STATUS_CODES[Number(status)] ?? status).replaceAll(/[^A-Za-z]/g, '')
    let name = base
    for (let number = 2; Object.hasOwn(shared, name); number += 1) name = `${base}${number}`
    shared[name] = response
    names.set(text, name)
    return name
  }
  return {
    shared,
    replace: responses =>
      Object.fromEntries(
        Object.entries(responses).map(([status, response]) => {
          const name = nameOf(status, response)
          return [status, name === undefined ? response : { $ref: `#/components/responses/${name}` }]
        }),
      ),
  }
}
