/** Direct conversations, as each participant sees them. */
export { conversationColumns, renderConversation, renderConversations, type ConversationRow } from './render.ts'
