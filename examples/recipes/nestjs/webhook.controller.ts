import { Controller, Inject, Logger, Post, Req, Res } from "@nestjs/common";
import { Notetaker } from "notetaker-sdk";
import {
  createReceiver,
  type NodeRequest,
  type NodeResponse,
  toNodeListener,
} from "notetaker-sdk/webhooks";

@Controller("hooks")
export class WebhookController {
  private readonly logger = new Logger(WebhookController.name);
  private readonly receiver = createReceiver({
    secrets: process.env.NOTETAKER_WEBHOOK_SECRET,
    handlers: {
      "meeting.transcript_ready": ({ meetingId }, { signal }) =>
        this.save(meetingId, signal),
    },
    onError: (error) => this.logger.error(error),
  });
  private readonly listener = toNodeListener(this.receiver.handle);

  constructor(@Inject(Notetaker) private readonly notetaker: Notetaker) {}

  @Post("notetaker")
  receive(@Req() request: NodeRequest, @Res() response: NodeResponse): void {
    this.listener(request, response);
  }

  private async save(meetingId: string, signal: AbortSignal): Promise<void> {
    const { segments } = await this.notetaker.meetings.getTranscript(
      meetingId,
      { signal },
    );
    this.logger.log(`${meetingId}: ${segments.length} segments`);
  }
}
