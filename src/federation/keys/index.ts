/** The keys of local actors, and signing with them. */
export { makeOwnKey, ownKeys, replaceOwnKey } from './own_keys.ts'
export { sha256, signedHeaders, signText, type SignatureForm } from './sign.ts'
export { signerOf } from './signer.ts'
