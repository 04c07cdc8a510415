/** Fetches documents of other servers and checks them. Begin with `fetch_object.ts`. */
export { readBearcap } from './bearcap.ts'
export { fetchContext } from './fetch_context.ts'
export { fetchDocument, fetchObject } from './fetch_object.ts'
export { mayDiscover, subdomainLimit, withDiscoveryBudget } from './discovery.ts'
export { waitingBudget } from './waiting_budget.ts'
export { federatesWithHostOf, mayRequest, federatesWith, filterRequestable } from './federation_policy.ts'
export { queryWebFinger, serverOrigin, type WebFingerResult } from './webfinger.ts'
export { resolveHandleUri } from './resolve_handle_uri.ts'
