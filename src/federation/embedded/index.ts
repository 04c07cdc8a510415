/**
 * Signatures inside documents, with which others may pass them on: RsaSignature2017 is made and
 * verified, object integrity proofs (FEP-8b32) are verified.
 */
export { signDocument } from './sign_document.ts'
export { isLinkedDataSigned, signedDocument } from './verify_document.ts'
