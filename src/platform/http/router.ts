import type { AnyOperation, Method } from './operation.ts'

/** The operations of one path pattern, by method. */
export interface Route {
  /** In the syntax of uWebSockets.js: `/api/v1/statuses/:id`. */
  readonly pattern: string
  /** The names of the pattern's parameters, in order. */
  readonly names: readonly string[]
  readonly operations: ReadonlyMap<Method, AnyOperation>
}

const list = <T>(one: T | readonly T[]): readonly T[] => (Array.isArray(one) ? one : [one as T])

export const methodsOf = (operation: AnyOperation): readonly Method[] => list(operation.method)
export const pathsOf = (operation: AnyOperation): readonly string[] => list(operation.path)

/**
 * The routes of all operations.
 * @throws Error when two operations have the same method and path
 */
export function routesOf(operations: readonly AnyOperation[]): Route[] {
  const routes = new Map<string, { pattern: string; names: string[]; operations: Map<Method, AnyOperation> }>()
  for (const operation of operations) {
    for (const pattern of pathsOf(operation)) {
      const names = [...pattern.matchAll(/:([a-z_]+)/g)].map(found => found[1] ?? '')
      // To the router, routes that differ only in the names of their parameters are the same.
      const shape = pattern.replace(/:[a-z_]+/g, ':')
      const route = routes.get(shape) ?? { pattern, names, operations: new Map() }
      if (route.names.join() !== names.join()) {
        throw new Error(`${pattern} and ${route.pattern} name the same parameters differently`)
      }
      for (const method of methodsOf(operation)) {
        if (route.operations.has(method)) throw new Error(`${method} ${pattern} is declared twice`)
        route.operations.set(method, operation)
      }
      routes.set(shape, route)
    }
  }
  return [...routes.values()]
}
