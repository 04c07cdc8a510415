/** Documents and actors of other servers, fetched and checked. */
export { readBearcap } from './bearcap.ts'
export { fetchContext } from './fetch_context.ts'
export { fetchDocument, fetchObject } from './fetch_object.ts'
export { mayDiscover, subdomainLimit, withBudget } from './discovery.ts'
export { waitingBudget } from './waiting_budget.ts'
export { isOfReachableHost, isReachable, isReachableHost, reachableOf } from './reach.ts'
export { finger, originOf, type Finger } from './webfinger.ts'
export { resolveHandleUri } from './resolve_handle_uri.ts'
