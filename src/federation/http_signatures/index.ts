/** Verifies HTTP signatures of requests from other servers. Begin with `verify.ts`. */
export { findKey, isSigned, requireSigner, type RemoteSigner } from './verify.ts'
export { optionalSigner } from './optional_signer.ts'
export { fetchLimits } from './fetch_limits.ts'
