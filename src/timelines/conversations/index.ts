/** Direct conversations, as each participant has them. */
export { conversationColumns, renderConversation, renderConversations, type ConversationRow } from './render.ts'
