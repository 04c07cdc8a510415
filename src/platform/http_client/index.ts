/** Requests to other servers, limited in time and size, and to public addresses unless allowed. */
export { isPublicAddress } from './address.ts'
export { createCircuitBreaker } from './circuit_breaker.ts'
export { OutgoingFailure, type OutgoingReason } from './failure.ts'
export { domainKey, hostKey } from './limit_key.ts'
export { follow, type FollowedResponse } from './follow.ts'
export { openOutgoing, userAgentOf, type Outgoing, type OutgoingResponse, type OutgoingRequest } from './outgoing.ts'
