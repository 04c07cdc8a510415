/**
 * Signatures inside documents, which allow other servers to forward them: RsaSignature2017 is
 * created and verified, object integrity proofs (FEP-8b32) are verified.
 */
export { signDocument } from './sign_document.ts'
export { isLinkedDataSigned, verifyDocument } from './verify_document.ts'
