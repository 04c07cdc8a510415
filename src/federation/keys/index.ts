/** Keys of local actors, and signatures of requests and texts by them. */
export { createKeyPair, localKeys, replaceKeyPair } from './local_keys.ts'
export { sha256, signedHeaders, signText, type SignatureScheme } from './sign.ts'
export { getSigner } from './signer.ts'
