"""The Bot API methods by name."""

from collections.abc import Callable
from typing import Any

from bot.sandbox.methods import chats, copying, delivery, editing, profile, sending, topics
from bot.sandbox.methods.call import Call
from bot.sandbox.world import World

MethodFunction = Callable[[World, Call], Any]

FUNCTIONS: dict[str, MethodFunction] = {
    "getMe": chats.get_me,
    "logOut": delivery.stand_still,
    "close": delivery.stand_still,
    "getUpdates": delivery.get_updates,
    "setWebhook": delivery.set_webhook,
    "deleteWebhook": delivery.delete_webhook,
    "getWebhookInfo": delivery.get_webhook_info,
    "sendMessage": sending.send_message,
    "sendPhoto": sending.send_file("photo"),
    "sendDocument": sending.send_file("document"),
    "sendVoice": sending.send_file("voice"),
    "sendSticker": sending.send_file("sticker"),
    "sendContact": sending.send_contact,
    "sendLocation": sending.send_location,
    "sendMediaGroup": sending.send_media_group,
    "sendChatAction": sending.send_chat_action,
    "getFile": sending.get_file,
    "copyMessage": copying.copy_message,
    "copyMessages": copying.copy_messages,
    "forwardMessage": copying.forward_message,
    "forwardMessages": copying.forward_messages,
    "pinChatMessage": copying.pin_chat_message,
    "unpinChatMessage": copying.unpin_chat_message,
    "unpinAllChatMessages": copying.unpin_all_chat_messages,
    "setMessageReaction": copying.set_message_reaction,
    "editMessageText": editing.edit_message_text,
    "editMessageCaption": editing.edit_message_caption,
    "editMessageMedia": editing.edit_message_media,
    "editMessageReplyMarkup": editing.edit_message_reply_markup,
    "deleteMessage": editing.delete_message,
    "deleteMessages": editing.delete_messages,
    "answerCallbackQuery": editing.answer_callback_query,
    "setMyCommands": profile.set_my_commands,
    "getMyCommands": profile.get_my_commands,
    "deleteMyCommands": profile.delete_my_commands,
    "setMyName": profile.set_text("name"),
    "getMyName": profile.get_text("name"),
    "setMyDescription": profile.set_text("description"),
    "getMyDescription": profile.get_text("description"),
    "setMyShortDescription": profile.set_text("short_description"),
    "getMyShortDescription": profile.get_text("short_description"),
    "setChatMenuButton": profile.set_chat_menu_button,
    "getChatMenuButton": profile.get_chat_menu_button,
    "getChat": chats.get_chat,
    "getChatMember": chats.get_chat_member,
    "getChatMemberCount": chats.get_chat_member_count,
    "getChatAdministrators": chats.get_chat_administrators,
    "leaveChat": chats.leave_chat,
    "createForumTopic": topics.create_forum_topic,
    "editForumTopic": topics.edit_forum_topic,
    "closeForumTopic": topics.close_forum_topic,
    "reopenForumTopic": topics.reopen_forum_topic,
    "deleteForumTopic": topics.delete_forum_topic,
    "unpinAllForumTopicMessages": topics.unpin_all_forum_topic_messages,
}
"""Every method of spec.toml; getUpdates is the one that has to be awaited."""

__all__ = ["FUNCTIONS", "Call", "MethodFunction"]
