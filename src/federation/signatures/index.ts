/** Signatures of requests, checked as the contract says, with its errors. */
export { findActorKey, isSigned, requireSigner, type RemoteSigner } from './verify.ts'
export { signerIfAny } from './signer_if_any.ts'
