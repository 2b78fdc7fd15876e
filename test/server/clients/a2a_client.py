"""A client of the package a2a-sdk. Carries out the steps of its first argument, and prints what it was told."""

import asyncio
import json
import sys
import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import a2a_pb2 as a2a

ASKED = json.loads(sys.argv[1])


def state_of(task):
    return a2a.TaskState.Name(task.status.state).removeprefix("TASK_STATE_")


def texts_of(task):
    return [part.text for artifact in task.artifacts for part in artifact.parts]


class Steps:
    def __init__(self, agent):
        self.agent = agent
        self.task = a2a.Task()

    async def send(self, text, task=False, receiver=None):
        """Sends a message and tells the states and texts of what comes back."""
        place = {"task_id": self.task.id, "context_id": self.task.context_id} if task else {}
        message = a2a.Message(message_id=str(uuid.uuid4()), role=a2a.ROLE_USER, **place)
        message.parts.append(a2a.Part(text=text))
        request = a2a.SendMessageRequest(message=message)
        if receiver is not None:
            request.configuration.task_push_notification_config.CopyFrom(self.config(receiver))
        states, texts = [], []
        async for event in self.agent.send_message(request):
            kind = event.WhichOneof("payload")
            if kind == "task":
                self.task = event.task
                states.append(state_of(event.task))
                texts += texts_of(event.task)
            elif kind == "status_update":
                states.append(state_of(event.status_update))
            else:
                texts += [part.text for part in event.artifact_update.artifact.parts]
        return {"states": states, "text": "".join(texts)}

    async def get(self):
        task = await self.agent.get_task(a2a.GetTaskRequest(id=self.task.id))
        return {"state": state_of(task), "texts": texts_of(task)}

    async def list(self, size):
        listed = await self.agent.list_tasks(a2a.ListTasksRequest(page_size=size))
        ids = [task.id for task in listed.tasks]
        return {"has": self.task.id in ids, "shown": len(ids), "all": listed.total_size}

    async def cancel(self):
        return {"state": state_of(await self.agent.cancel_task(a2a.CancelTaskRequest(id=self.task.id)))}

    async def configs(self, receiver):
        """Makes a config, reads it in all ways, and deletes it."""
        place = {"task_id": self.task.id, "id": receiver["id"]}
        made = await self.agent.create_task_push_notification_config(self.config(receiver, self.task.id))
        read = await self.agent.get_task_push_notification_config(a2a.GetTaskPushNotificationConfigRequest(**place))
        query = a2a.ListTaskPushNotificationConfigsRequest(task_id=self.task.id)
        before = await self.agent.list_task_push_notification_configs(query)
        await self.agent.delete_task_push_notification_config(a2a.DeleteTaskPushNotificationConfigRequest(**place))
        after = await self.agent.list_task_push_notification_configs(query)
        return {"made": made.id, "read": read.url, "before": len(before.configs), "after": len(after.configs)}

    def config(self, receiver, task=""):
        config = a2a.TaskPushNotificationConfig(
            task_id=task, id=receiver["id"], url=receiver["url"], token=receiver["token"]
        )
        config.authentication.scheme = "Bearer"
        config.authentication.credentials = receiver["credentials"]
        return config


async def main():
    headers = {"authorization": f"Bearer {ASKED['token']}"}
    async with httpx.AsyncClient(headers=headers, timeout=20) as client:
        card = await A2ACardResolver(client, ASKED["url"]).get_agent_card()
        options = {"supported_protocol_bindings": [ASKED["binding"]], "use_client_preference": True}
        config = ClientConfig(httpx_client=client, streaming=ASKED["streaming"], **options)
        steps = Steps(ClientFactory(config).create(card))
        told = []
        for name, given in ASKED["steps"]:
            try:
                told.append(await getattr(steps, name)(**given))
            except Exception as error:
                told.append({"error": type(error).__name__})
    print(json.dumps({"notifies": card.capabilities.push_notifications, "told": told}))


asyncio.run(main())
