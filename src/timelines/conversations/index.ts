/** Direct conversations, as each participant sees them. */
export { renderConversation } from './render.ts'
