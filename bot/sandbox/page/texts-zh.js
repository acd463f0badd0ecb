// The page's own words in simplified Chinese; the server converts this file to traditional Chinese, as texts-zh-hant.js.

export const TEXTS = {
  brand: "聊天沙盒", chats: "聊天", newPerson: "新建用户", name: "名字", language: "语言", create: "创建", cancel: "取消", ok: "好",
  clock: "时钟", forward: "把时钟往前拨", theme: { auto: "外观：跟随系统", light: "外观：浅色", dark: "外观：深色" }, tongue: "页面语言：换成英文",
  step600: "10 分钟", step3600: "1 小时", step86400: "1 天",
  back: "返回", menu: "命令菜单", attach: "添加附件", send: "发送", write: "输入消息", down: "跳到最新消息", closed: "话题已关闭", noCommands: "这里没有可用的命令",
  block: "屏蔽机器人", unblock: "解除屏蔽", blocked: "你已屏蔽机器人", person: "用户", staff: "名成员", general: "常规", choose: "请在左侧选择一个聊天",
  appLanguage: "该用户的应用语言", notSet: "未设置", languages: { "zh-hans": "简体中文", "zh-hant": "繁体中文", en: "英语", ja: "日语", de: "德语" },
  photo: "图片", document: "文件", voice: "语音消息", sticker: "贴纸", contact: "联系人", location: "位置", video: "视频", video_note: "视频消息", dice: "骰子", open: "查看图片",
  edited: "已编辑", former: "之前的内容", forwarded: "转发自", reply: "回复", edit: "编辑", replyTo: "回复", editing: "编辑消息", typing: "正在输入", bot: "机器人",
  topicCreated: (name) => `已创建话题“${name}”`, topicEdited: (name) => `话题已改名为“${name}”`, topicIcon: "话题图标已更换", topicClosed: "话题已关闭",
  topicReopened: "话题已重新打开", pinned: "置顶了一条消息", founded: "群组已创建", upgraded: "群组已升级为超级群组",
  failed: "操作没有成功", today: "今天", copied: "已复制", as: "发言身份", keyboard: "键盘", noMessages: "还没有消息", start: "开始",
  action: { typing: "正在输入", upload_photo: "正在发送图片", upload_document: "正在发送文件", upload_voice: "正在发送语音", record_voice: "正在录音" },
};
